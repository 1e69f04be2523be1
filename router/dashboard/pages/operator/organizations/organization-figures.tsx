/** How much an organization requests, how much of it fails, and when it last did. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answeredCode } from '../../../../../shared/counted-codes.ts';
import type { RefusalCounts } from '../../../../../shared/api/refusals.ts';
import type { UsageSummary } from '../../../../../shared/api/usage.ts';
import { daysQuery, latestQuery, latestRefusalQuery, periodQuery } from '../../../api/overview.ts';
import { refusalCountsQuery } from '../../../api/refusals.ts';
import { compactCount, shownChange, shownCount, shownShare } from '../../../format/count.ts';
import { PAGES } from '../../../pages.ts';
import { Stat } from '../../../parts/page.tsx';
import { Code, Money, When } from '../../../parts/shown.tsx';
import { Loaded, Skeleton } from '../../../parts/states.tsx';
import { periodsOf, totalsOf } from '../../overview/figures.ts';
import { Change } from '../../usage/totals.tsx';

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
  const { requests, errors, cancelled, cost } = totalsOf(summary);
  return (
    <>
      <Stat
        label="Requests"
        note={
          <>
            In 30 days (UTC), <Money amount={cost} /> charged
          </>
        }
      >
        <span title={shownCount(requests)}>{compactCount(requests)}</span>
        <Change>{earlier ? changeInWords(requests, earlier.requests) : null}</Change>
      </Stat>
      <Stat
        label="Failed"
        note={requests === 0 ? 'Of no requests' : failedNote(errors / requests, cancelled)}
      >
        <LogsLink organization={organization} status="failed" count={errors} />
      </Stat>
      <Stat
        label="Refused"
        note={refusals.data && <Causes organization={organization} counts={refusals.data} />}
      >
        {refusals.data ? (
          <LogsLink organization={organization} status="refused" count={refusals.data.total} />
        ) : (
          '–'
        )}
      </Stat>
      <LastRequest organization={organization} />
    </>
  );
}

/** "−3% on the 30 days before", or null if there is nothing to compare with. */
function changeInWords(requests: number, earlier: number): string | null {
  const change = shownChange(requests, earlier);
  return change === null ? null : `${change} on the 30 days before`;
}

/** `share`: of the requests that failed, from 0 to 1. */
function failedNote(share: number, cancelled: number): string {
  const failed = `${shownShare(share)} of the requests`;
  return cancelled === 0 ? failed : `${failed}; ${shownCount(cancelled)} more were canceled`;
}

/** How many causes of refusals are named. */
const CAUSES = 3;

type CausesProps = Readonly<{ organization: string; counts: RefusalCounts }>;

/** The most frequent causes, each with a link to its requests. */
function Causes({ organization, counts: { total, groups } }: CausesProps) {
  if (total === 0) return 'Before they were admitted';
  const named = groups.slice(0, CAUSES);
  const others = total - named.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      {named.map(({ group, count }) => (
        <Link
          key={group}
          to={PAGES.logs.path}
          params={{ organization }}
          search={{ status: 'refused', code: answeredCode(group ?? ''), range: '30d' }}
          className="block truncate hover:underline"
        >
          {compactCount(count)} <Code>{group ?? ''}</Code>
        </Link>
      ))}
      {others > 0 && <span className="block">{compactCount(others)} for other causes</span>}
    </>
  );
}

type LogsLinkProps = Readonly<{ organization: string; status: string; count: number }>;

/** A count that leads to these requests in the organization's logs, unless there are none. */
function LogsLink({ organization, status, count }: LogsLinkProps) {
  if (count === 0) return 0;
  return (
    <Link
      to={PAGES.logs.path}
      params={{ organization }}
      search={{ status, range: '30d' }}
      title={shownCount(count)}
      className="text-bad underline-offset-4 hover:underline"
    >
      {compactCount(count)}
    </Link>
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
        ) : (
          refused.data === null && 'None was refused'
        )
      }
    >
      <Loaded query={latest} loading={<Skeleton className="h-7 w-24" />}>
        {(entry) => (
          <span className="text-base">
            <When at={entry?.created ?? null} relative never="None yet" />
          </span>
        )}
      </Loaded>
    </Stat>
  );
}
