/** What the platform can serve now, and what is asked of it. Each figure links to what explains it. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Agent } from '../../../../../shared/api/agents.ts';
import type { PlatformStatus } from '../../../../../shared/api/platform.ts';
import { JOBS_COUNTED_MAX } from '../../../../../shared/jobs.ts';
import { fleetHistoryQuery } from '../../../api/fleet-history.ts';
import { type FleetReadings, type FleetTotals, rowsOf, totalsOf } from '../../../api/readings.ts';
import { shownCount, shownShare } from '../../../format/count.ts';
import { outdatedAt } from '../../../parts/as-of.tsx';
import { Meter } from '../../../parts/meter.tsx';
import { Stat } from '../../../parts/page.tsx';
import { lostWorkers } from '../fleet/lost-hosts.ts';
import { REQUEST_RATE, shownRequestRate } from '../request-rate.ts';
import { recentTraffic } from '../routers/recent-traffic.ts';
import { readinessInWords } from './not-ready.ts';

type PlatformNowProps = Readonly<{
  fleet: UseQueryResult<FleetReadings>;
  hosts: UseQueryResult<readonly Agent[]>;
  status: UseQueryResult<PlatformStatus>;
}>;

const LINK = 'hover:underline';

export function PlatformNow({ fleet, hosts, status }: PlatformNowProps) {
  const history = useQuery(fleetHistoryQuery({ span: 'hour' }));
  const traffic = history.data && recentTraffic(history.data);
  const rows = fleet.data && rowsOf(fleet.data);
  const totals = rows && totalsOf(rows);
  const known = hosts.data ?? [];
  const jobs = status.data?.jobs;
  const ofFleet = outdatedAt(fleet);
  return (
    <section aria-label="Now" className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      {/* On a phone, the odd one is as wide as the page, as on Fleet. */}
      <div className="col-span-2 grid sm:col-span-1">
        <Stat
          label={<ToFleet>Workers ready</ToFleet>}
          note={rows && readinessInWords(rows, known)}
          asOf={outdatedAt(fleet, hosts)}
        >
          {totals ? (
            <>
              {shownCount(totals.ready)}
              <span className="text-base font-normal text-muted">
                {' '}
                of {shownCount(totals.workers + lostWorkers(known))}
              </span>
            </>
          ) : (
            '–'
          )}
        </Stat>
      </div>
      <Slots totals={totals} asOf={ofFleet} />
      <Stat label={<ToFleet>Requests waiting</ToFleet>} note="Queued in the engines" asOf={ofFleet}>
        {totals ? shownCount(totals.waiting) : '–'}
      </Stat>
      <Stat
        label={
          <Link to="/operator/routers" className={LINK}>
            {REQUEST_RATE}
          </Link>
        }
        note="Of the last five minutes, refused ones included"
        asOf={outdatedAt(history)}
      >
        {traffic ? shownRequestRate(traffic.requestsPerSecond) : '–'}
      </Stat>
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
              , without webhooks
            </>
          )
        }
        asOf={outdatedAt(status)}
      >
        {jobs ? bounded(jobs.failed) : '–'}
      </Stat>
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

type SlotsProps = Readonly<{ totals: FleetTotals | undefined; asOf: string | null }>;

function Slots({ totals, asOf }: SlotsProps) {
  const share = totals && totals.slots > 0 ? totals.running / totals.slots : null;
  return (
    <Stat
      label={<ToFleet>Slots in use</ToFleet>}
      note={
        totals &&
        (share === null ? (
          'No worker is ready'
        ) : (
          <span className="flex items-center gap-2">
            <Meter share={share} className="w-14" /> of {shownCount(totals.slots)},{' '}
            {shownShare(share)}
          </span>
        ))
      }
      asOf={asOf}
    >
      {totals ? shownCount(totals.running) : '–'}
    </Stat>
  );
}

/** The API counts up to a bound. */
function bounded(count: number): string {
  return count >= JOBS_COUNTED_MAX ? `${shownCount(count)} or more` : shownCount(count);
}
