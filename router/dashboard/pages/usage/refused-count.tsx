import { useQuery } from '@tanstack/react-query';
import { refusalCountsQuery } from '../../api/refusals.ts';
import { shownCount } from '../../format/count.ts';
import type { LogsSearch } from '../../search.ts';
import { useOrganization } from '../../session.tsx';
import { LogsLink } from '../logs/logs-link.tsx';
import type { Narrowing } from './address.ts';
import type { Span } from './span.ts';

/**
 * How many requests were refused in the span that the page shows. Null while it is not known, and
 * with filters that refused requests do not have.
 */
export function useRefused({ bucket, start, end }: Span, filter: Narrowing): number | null {
  const organization = useOrganization();
  const { key, status, model, member, source } = filter;
  // A request that succeeded was not refused.
  const refusedStatus = status?.filter((one) => one !== '2xx');
  const isCountable =
    [model, member, source].every((values) => values === undefined) && refusedStatus?.length !== 0;
  const { data } = useQuery({
    ...refusalCountsQuery(organization, {
      bucket: bucket === 'month' ? 'day' : bucket,
      start,
      ...(end && { end }),
      ...(key && { key }),
      ...(refusedStatus && { status: refusedStatus }),
    }),
    enabled: isCountable,
  });
  return isCountable ? (data?.total ?? null) : null;
}

type RefusedLinkProps = Readonly<{
  refused: number;
  /** What the logs show of the same requests. */
  logs: LogsSearch;
}>;

/** Leads to the refused requests. */
export function RefusedLink({ refused, logs }: RefusedLinkProps) {
  return (
    <LogsLink logs={logs} status="refused" className="text-bad underline underline-offset-2">
      {shownCount(refused)} refused
    </LogsLink>
  );
}
