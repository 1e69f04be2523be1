/** Figures of today and of now. Each links to the page that explains it. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PlatformStatus, PlatformSummary } from '../../../../../shared/api/platform.ts';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { compactCount, shownCount } from '../../../format/count.ts';
import { Stat } from '../../../parts/page.tsx';
import { Money } from '../../../parts/shown.tsx';
import { readyWorkers } from './demand.ts';
import { besidePaidIn, netPaidIn } from './paid-in.ts';

type FiguresProps = Readonly<{
  today: PlatformSummary['days'][number] | undefined;
  jobs: PlatformStatus['jobs'] | undefined;
  workers: readonly WorkerEntry[] | undefined;
}>;

/** The API counts up to here (`JOBS_COUNTED_MAX`). */
const COUNTED_MAX = 1_000;
const LINK = 'hover:underline';

export function PlatformFigures({ today, jobs, workers }: FiguresProps) {
  const tokens = today && today.prompt_tokens + today.completion_tokens;
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      <Stat
        label={
          <Link to="/operator/organizations" className={LINK}>
            Paid in today
          </Link>
        }
        note={(today && besidePaidIn([today]).join(', ')) || 'Payments of customers'}
      >
        {today ? <Money amount={netPaidIn([today])} /> : '–'}
      </Stat>
      <Stat
        label={
          <Link to="/operator/organizations" className={LINK}>
            Charged today
          </Link>
        }
        note="For requests"
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
          today &&
          `${shownCount(today.requests)} ${today.requests === 1 ? 'request' : 'requests'}, refused ones included`
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
        note={workers && notReady(workers)}
      >
        {workers ? <ReadyOf workers={workers} /> : '–'}
      </Stat>
      <Stat
        label={
          <Link to="/operator/jobs" className={LINK}>
            Failed jobs
          </Link>
        }
        note={
          jobs && (
            <Link to="/operator/jobs" search={{ state: 'waiting' }} className={LINK}>
              {bounded(jobs.retried)} retrying
            </Link>
          )
        }
      >
        {jobs ? bounded(jobs.failed) : '–'}
      </Stat>
    </div>
  );
}

function ReadyOf({ workers }: { workers: readonly WorkerEntry[] }): ReactNode {
  return (
    <>
      {shownCount(readyWorkers(workers).length)}
      <span className="text-base font-normal text-muted"> of {shownCount(workers.length)}</span>
    </>
  );
}

function notReady(workers: readonly WorkerEntry[]): string {
  const ready = new Set(readyWorkers(workers));
  const others = workers.filter((worker) => !ready.has(worker));
  if (others.length === 0) return 'All are ready';
  const [first] = others;
  const more = others.length - 1;
  return `Not ready: ${first?.agent_name}/${first?.name}${more > 0 ? ` and ${shownCount(more)} more` : ''}`;
}

/** The API counts up to a bound. */
function bounded(count: number): string {
  return count >= COUNTED_MAX ? `${shownCount(COUNTED_MAX)} or more` : shownCount(count);
}
