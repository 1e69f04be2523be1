/** What the platform can serve now, and what is asked of it. Each figure links to what explains it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Agent } from '../../../../../shared/api/agents.ts';
import type { PlatformStatus } from '../../../../../shared/api/platform.ts';
import { JOBS_COUNTED_MAX } from '../../../../../shared/jobs.ts';
import { fleetHistoryQuery } from '../../../api/fleet-history.ts';
import { type FleetTotals, totalsOf, type WorkerRow } from '../../../api/readings.ts';
import { shownCount, shownShare, shownSpeed } from '../../../format/count.ts';
import { Meter } from '../../../parts/meter.tsx';
import { Stat } from '../../../parts/page.tsx';
import { lostWorkers } from '../fleet/lost-hosts.ts';
import { recentTraffic } from '../routers/recent-traffic.ts';
import { notReadyInWords } from './not-ready.ts';

type PlatformNowProps = Readonly<{
  rows: readonly WorkerRow[] | undefined;
  hosts: readonly Agent[];
  jobs: PlatformStatus['jobs'] | undefined;
}>;

const LINK = 'hover:underline';

export function PlatformNow({ rows, hosts, jobs }: PlatformNowProps) {
  const history = useQuery(fleetHistoryQuery({ span: 'hour' })).data;
  const traffic = history && recentTraffic(history);
  const totals = rows && totalsOf(rows);
  return (
    <section aria-label="Now" className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      <Stat
        label={<ToFleet>Workers ready</ToFleet>}
        note={
          rows &&
          notReadyInWords(
            rows.map(({ worker }) => worker),
            hosts,
          )
        }
      >
        {totals ? (
          <>
            {shownCount(totals.ready)}
            <span className="text-base font-normal text-muted">
              {' '}
              of {shownCount(totals.workers + lostWorkers(hosts))}
            </span>
          </>
        ) : (
          '–'
        )}
      </Stat>
      <Slots totals={totals} />
      <Stat label={<ToFleet>Requests waiting</ToFleet>} note="Queued in the engines">
        {totals ? shownCount(totals.waiting) : '–'}
      </Stat>
      <Stat
        label={
          <Link to="/operator/routers" className={LINK}>
            Requests per second
          </Link>
        }
        note="Of the last five minutes, refused ones included"
      >
        {traffic ? shownSpeed(traffic.requestsPerSecond) : '–'}
      </Stat>
      <div className="col-span-2 grid sm:col-span-1">
        <Stat
          label={
            <Link to="/operator/jobs" className={LINK}>
              Failed jobs
            </Link>
          }
          note={
            jobs && (
              <>
                Given up after 12 attempts.{' '}
                <Link to="/operator/jobs" search={{ state: 'waiting' }} className={LINK}>
                  {bounded(jobs.retried)} retrying
                </Link>
              </>
            )
          }
        >
          {jobs ? bounded(jobs.failed) : '–'}
        </Stat>
      </div>
    </section>
  );
}

function ToFleet({ children }: { children: string }) {
  return (
    <Link to="/operator/fleet" className={LINK}>
      {children}
    </Link>
  );
}

function Slots({ totals }: { totals: FleetTotals | undefined }) {
  const share = totals && totals.slots > 0 ? totals.running / totals.slots : null;
  return (
    <Stat
      label={<ToFleet>Slots in use</ToFleet>}
      note={
        share !== null &&
        totals && (
          <span className="flex items-center gap-2">
            <Meter share={share} className="w-14" /> of {shownCount(totals.slots)},{' '}
            {shownShare(share)}
          </span>
        )
      }
    >
      {totals ? shownCount(totals.running) : '–'}
    </Stat>
  );
}

/** The API counts up to a bound. */
function bounded(count: number): string {
  return count >= JOBS_COUNTED_MAX ? `${shownCount(count)} or more` : shownCount(count);
}
