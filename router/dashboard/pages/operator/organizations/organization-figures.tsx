/** How much an organization requests, how much of it fails, and when it last did. */
import { useQuery } from '@tanstack/react-query';
import type { RefusalCounts } from '../../../../../shared/api/refusals.ts';
import type { UsageSummary } from '../../../../../shared/api/usage.ts';
import { daysQuery, latestQuery, latestRefusalQuery, periodQuery } from '../../../api/overview.ts';
import { refusalCountsQuery } from '../../../api/refusals.ts';
import { compactCount, shownChange, shownCount, shownShare } from '../../../format/count.ts';
import { cx } from '../../../parts/class-names.ts';
import { Stat } from '../../../parts/page.tsx';
import { Code, Money, When } from '../../../parts/shown.tsx';
import { Loaded, Skeleton } from '../../../parts/states.tsx';
import { LogsLink } from '../../logs/logs-link.tsx';
import { periodsOf, totalsOf } from '../../overview/figures.ts';
import { isComparable } from '../../usage/previous-period.ts';

const AGAIN_MS = 30_000;

/** Of the last 30 days, from the queries of the customer's own overview. */
export function OrganizationFigures({ organization }: { organization: string }) {
  const days = useQuery(daysQuery(organization));
  return (
    <section
      aria-label="Requests in the last 30 days"
      className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4"
    >
      <Loaded query={days} loading={<Skeleton className="h-28 w-full" />}>
        {(summary) => <Figures organization={organization} summary={summary} />}
      </Loaded>
    </section>
  );
}

type FiguresProps = Readonly<{ organization: string; summary: UsageSummary }>;

function Figures({ organization, summary }: FiguresProps) {
  const { now, before } = periodsOf(summary);
  const earlier = useQuery(periodQuery(organization, before)).data?.totals;
  const refusals = useQuery({
    ...refusalCountsQuery(organization, { bucket: 'day', group_by: 'code', ...now }),
    refetchInterval: AGAIN_MS,
  });
  const totals = totalsOf(summary);
  const { requests, errors, cancelled, cost } = totals;
  const isCompared = earlier && isComparable(earlier, totals);
  const change = isCompared ? changeInWords(requests, earlier.requests) : null;
  return (
    <>
      <Stat
        label="Requests"
        note={
          <>
            Last 30 days (UTC), <Money amount={cost} /> charged
            {change !== null && <span className="block text-balance">{change}</span>}
          </>
        }
      >
        <span title={shownCount(requests)}>{compactCount(requests)}</span>
      </Stat>
      <Stat
        label="Failed"
        note={requests === 0 ? 'No request failed' : failedNote(errors / requests, cancelled)}
      >
        <RequestCount status="failed" count={errors} />
      </Stat>
      <Stat label="Refused" note={refusals.data && <Causes counts={refusals.data} />}>
        {refusals.data ? <RequestCount status="refused" count={refusals.data.total} /> : '–'}
      </Stat>
      <LastRequest organization={organization} />
    </>
  );
}

/** "−3% against the 30 days before", or null if there is nothing to compare with. */
function changeInWords(requests: number, earlier: number): string | null {
  const change = shownChange(requests, earlier);
  return change === null ? null : `${change} against the 30 days before`;
}

/** `share`: of the requests that failed, from 0 to 1. */
function failedNote(share: number, cancelled: number): string {
  const failed = `${shownShare(share)} of the requests`;
  if (cancelled === 0) return failed;
  return `${failed}; ${shownCount(cancelled)} more ${cancelled === 1 ? 'was' : 'were'} canceled`;
}

/** How many causes of refusals are named. */
const CAUSES = 3;

/** The most frequent causes, each with a link to its requests. */
function Causes({ counts: { total, groups } }: Readonly<{ counts: RefusalCounts }>) {
  if (total === 0) return 'No request was refused';
  const named = groups.slice(0, CAUSES);
  const others = total - named.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      {named.map(({ group, count }) => (
        <LogsLink
          key={group}
          logs={{ code: group ?? '', range: '30d' }}
          status="refused"
          className="block truncate hover:underline"
        >
          {compactCount(count)} <Code>{group ?? ''}</Code>
        </LogsLink>
      ))}
      {others > 0 && <span className="block">{compactCount(others)} for other causes</span>}
    </>
  );
}

type RequestCountProps = Readonly<{ status: 'failed' | 'refused'; count: number }>;

/**
 * A count that leads to these requests in the organization's logs, unless there are none. Only those
 * that failed are red: most refusals are mistakes of the customer.
 */
function RequestCount({ status, count }: RequestCountProps) {
  if (count === 0) return 0;
  return (
    <LogsLink
      logs={{ range: '30d' }}
      status={status}
      className={cx('underline-offset-4 hover:underline', status === 'failed' && 'text-bad')}
    >
      <span title={shownCount(count)}>{compactCount(count)}</span>
    </LogsLink>
  );
}

function LastRequest({ organization }: { organization: string }) {
  const latest = useQuery({ ...latestQuery(organization), refetchInterval: AGAIN_MS });
  const refused = useQuery({ ...latestRefusalQuery(organization), refetchInterval: AGAIN_MS });
  return (
    <Stat
      label="Last request"
      note={
        refused.data ? (
          <>
            Last refused <When at={refused.data.created} relative />
          </>
        ) : latest.data === null ? (
          'No request yet'
        ) : (
          refused.data === null && 'None was refused'
        )
      }
    >
      <Loaded query={latest} loading={<Skeleton className="h-7 w-24" />}>
        {(entry) => <When at={entry?.created ?? null} relative never="–" />}
      </Loaded>
    </Stat>
  );
}
