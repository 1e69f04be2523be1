/** Figures of today and of now. Each links to the page that explains it. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type {
  PlatformReliability,
  PlatformStatus,
  PlatformSummary,
} from '../../../../../shared/api/platform.ts';
import type { Agent } from '../../../../../shared/api/agents.ts';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { JOBS_COUNTED_MAX } from '../../../../../shared/jobs.ts';
import { compactCount, shownCount, shownShare } from '../../../format/count.ts';
import { Stat } from '../../../parts/page.tsx';
import { Money } from '../../../parts/shown.tsx';
import { lostInWords, lostWorkers, disconnectedInWords } from '../fleet/lost-hosts.ts';
import { readyWorkers } from './demand.ts';
import { besidePaidIn, netPaidIn } from './paid-in.ts';

type FiguresProps = Readonly<{
  /** The last 30 days; the last one is today. */
  days: PlatformSummary['days'] | undefined;
  /** Of the whole hours of today, and of the same hours of yesterday. */
  tokens: PlatformReliability['tokens'] | undefined;
  jobs: PlatformStatus['jobs'] | undefined;
  workers: readonly WorkerEntry[] | undefined;
  hosts: readonly Agent[];
}>;

const LINK = 'hover:underline';

export function PlatformFigures({ days, tokens: hours, jobs, workers, hosts }: FiguresProps) {
  const today = days?.at(-1);
  const yesterday = days?.at(-2);
  const tokens = today && today.prompt_tokens + today.completion_tokens;
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      <Stat
        label={
          <Link to="/operator/organizations" className={LINK}>
            Paid in today
          </Link>
        }
        note={
          <>
            {(today && besidePaidIn([today]).join(', ')) || 'Payments of customers'}
            {yesterday && (
              <>
                . Yesterday <Money amount={netPaidIn([yesterday])} />
              </>
            )}
          </>
        }
      >
        {today ? <Money amount={netPaidIn([today])} /> : '–'}
      </Stat>
      <Stat
        label={
          <Link
            to="/operator/organizations"
            search={{ sort: 'spend', order: 'desc' }}
            className={LINK}
          >
            Charged today
          </Link>
        }
        note={
          <>
            For requests
            {yesterday && (
              <>
                . Yesterday <Money amount={yesterday.usage} />
              </>
            )}
          </>
        }
      >
        {today ? <Money amount={today.usage} /> : '–'}
      </Stat>
      <Stat
        label={
          <Link to="/operator/fleet" search={{ span: 'day' }} className={LINK}>
            Tokens today
          </Link>
        }
        note={
          today && (
            <>
              {`${shownCount(today.requests)} ${today.requests === 1 ? 'request' : 'requests'}, refused ones included`}
              {hours && hours.yesterday > 0 && (
                <span className="block">{changeInWords(hours)}</span>
              )}
            </>
          )
        }
      >
        {tokens === undefined ? '–' : compactCount(tokens)}
      </Stat>
      <Stat
        label={
          <Link to="/operator/fleet" className={LINK}>
            Workers ready
          </Link>
        }
        note={workers && notReady(workers, hosts)}
      >
        {workers ? <ReadyOf workers={workers} hosts={hosts} /> : '–'}
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
            </>
          )
        }
      >
        {jobs ? bounded(jobs.failed) : '–'}
      </Stat>
    </div>
  );
}

/** "12% more than yesterday at this hour" */
function changeInWords({ today, yesterday }: PlatformReliability['tokens']): string {
  const change = (today - yesterday) / yesterday;
  const size = shownShare(Math.abs(change));
  if (size === shownShare(0)) return 'As many as yesterday at this hour';
  return `${size} ${change > 0 ? 'more' : 'fewer'} than yesterday at this hour`;
}

function ReadyOf({
  workers,
  hosts,
}: Readonly<{ workers: readonly WorkerEntry[]; hosts: readonly Agent[] }>): ReactNode {
  return (
    <>
      {shownCount(readyWorkers(workers).length)}
      <span className="text-base font-normal text-muted">
        {' '}
        of {shownCount(workers.length + lostWorkers(hosts))}
      </span>
    </>
  );
}

/** A lost host has no workers here, so it is told beside those that are not ready. */
function notReady(workers: readonly WorkerEntry[], hosts: readonly Agent[]): string {
  const ready = new Set(readyWorkers(workers));
  const others = workers.filter((worker) => !ready.has(worker));
  const away = [lostInWords(hosts), disconnectedInWords(hosts)].filter((part) => part !== null);
  const [first] = others;
  if (first === undefined) return away.length === 0 ? 'All are ready' : away.join(', ');
  const more = others.length > 1 ? ` and ${shownCount(others.length - 1)} more` : '';
  const named = `Not ready: ${first.agent_name}/${first.name}${more}`;
  return away.length === 0 ? named : `${away.join(', ')}. ${named}`;
}

/** The API counts up to a bound. */
function bounded(count: number): string {
  return count >= JOBS_COUNTED_MAX ? `${shownCount(count)} or more` : shownCount(count);
}
