/** The fleet at a glance: live figures, and one line with how many workers, models and hosts there are. */
import { Link } from '@tanstack/react-router';
import type { Agent } from '../../../../../shared/api/agents.ts';
import { hitShare, READINGS_MAX, totalsOf, type WorkerRow } from '../../../api/readings.ts';
import { compactCount, countOf, shownCount, shownShare } from '../../../format/count.ts';
import { Stat } from '../../../parts/page.tsx';
import { fleetSearch } from '../../../operator-search.ts';
import { drainsInWords } from './drain-progress.ts';
import { hostsAtWork, servedNow } from './hosts-at-work.ts';
import { readyInTroubleInWords } from './listed-workers.ts';
import { lostInWords, lostWorkers, disconnectedInWords } from './lost-hosts.ts';
import { filledSpeeds, type RecordedTotals } from './recorded-totals.ts';
import { SpeedNote } from './speed-note.tsx';

type FleetTotalsProps = Readonly<{
  rows: readonly WorkerRow[];
  /** Null while it is not loaded. */
  recorded: RecordedTotals | null;
  hosts: readonly Agent[];
}>;

const SLOTS = READINGS_MAX - 1;

export function FleetTotals({ rows, recorded, hosts }: FleetTotalsProps) {
  const totals = totalsOf(rows);
  const { ready, workers, running, waiting, slots } = totals;
  const tokensPerSecond = totals.tokensPerSecond ?? recorded?.tokensPerSecond ?? null;
  const speeds = filledSpeeds(totals.speeds, recorded?.speeds ?? [], SLOTS);
  const live = hitShare(totals);
  const hits = live ?? recorded?.hits ?? null;
  const looked = live === null ? (recorded?.looked ?? 0) : totals.looked;
  const listed = rows.map(({ worker }) => worker);
  const atWork = hostsAtWork(hosts, listed);
  const served = servedNow(listed);
  return (
    <div className="grid gap-3">
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
        <div className="col-span-2 grid sm:col-span-1">
          <Stat label="Workers ready" note={standing(rows, hosts)}>
            {shownCount(ready)}
            <span className="text-base font-normal text-muted">
              {' '}
              of {shownCount(workers + lostWorkers(hosts))}
            </span>
          </Stat>
        </div>
        <Stat label="Requests running" note={`${shownCount(slots)} slots of ready workers`}>
          {shownCount(running)}
        </Stat>
        <Stat label="Requests waiting" note="Queued in the engines">
          {shownCount(waiting)}
        </Stat>
        <Stat
          label="Tokens per second"
          note={<SpeedNote now={tokensPerSecond} speeds={speeds} slots={SLOTS} />}
        >
          {tokensPerSecond === null ? '–' : shownCount(Math.round(tokensPerSecond))}
        </Stat>
        <Stat
          label="Prefix hit rate"
          note={
            looked > 0 ? `Of ${compactCount(looked)} recent prompt tokens` : 'No recent prompts'
          }
        >
          {hits === null ? '–' : shownShare(hits)}
        </Stat>
      </div>
      <p className="text-sm text-muted">
        {served.models === 0 ? (
          <>
            <Part hash="workers">{countOf(workers, 'worker')}</Part> on{' '}
            <Part hash="hosts">{countOf(atWork.count, 'host')}</Part>{' '}
            {workers === 1 ? 'serves' : 'serve'} no model now.
          </>
        ) : (
          <>
            <Part hash="workers">{countOf(served.workers, 'worker')}</Part>{' '}
            {served.workers === 1 ? 'serves' : 'serve'} {countOf(served.models, 'model')} on{' '}
            <Part hash="hosts">{countOf(served.hosts, 'host')}</Part>.
          </>
        )}{' '}
        {atWork.others}
      </p>
    </div>
  );
}

/** Leads to a list further down on the page, and keeps the filters that the address has. */
function Part({ hash, children }: Readonly<{ hash: string; children: string }>) {
  return (
    <Link
      to="/operator/fleet"
      search={(address) => fleetSearch(address)}
      hash={hash}
      className="underline decoration-line-strong underline-offset-2 hover:decoration-current"
    >
      {children}
    </Link>
  );
}

function standing(rows: readonly WorkerRow[], hosts: readonly Agent[]): string {
  const { others } = totalsOf(rows);
  const parts = [
    drainsInWords(rows.map(({ worker }) => worker)),
    lostInWords(hosts),
    disconnectedInWords(hosts),
    others > 0 ? `${shownCount(others)} not ready` : null,
    readyInTroubleInWords(rows),
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'None draining' : parts.join(', ');
}
