import { useQuery } from '@tanstack/react-query';
import { refusalCountsQuery } from '../../api/refusals.ts';
import { shownCount } from '../../format/count.ts';
import type { LogsSearch } from '../../search.ts';
import { useOrganization } from '../../session.tsx';
import { LogsLink } from '../logs/logs-link.tsx';
import type { Narrowing } from './address.ts';
import type { Span } from './span.ts';

export type Refused = Readonly<{
  /** Null while it is not known, and with filters by which refused requests are not counted. */
  count: number | null;
  /** There may be some, but they are not counted by model. */
  isOfModel: boolean;
}>;

/** How many requests were refused in the span that the page shows. */
export function useRefused({ bucket, start, end }: Span, filter: Narrowing): Refused {
  const organization = useOrganization();
  const { key, status, model, member, source } = filter;
  // A request that succeeded was not refused.
  const refusedStatus = status?.filter((one) => one !== '2xx');
  const mayBeRefused = (member ?? source) === undefined && refusedStatus?.length !== 0;
  const isCountable = mayBeRefused && model === undefined;
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
  return {
    count: isCountable ? (data?.total ?? null) : null,
    isOfModel: mayBeRefused && !isCountable,
  };
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

/** Says where the refused requests of a model are, which are not counted. */
export function RefusedOfModel({ logs }: Pick<RefusedLinkProps, 'logs'>) {
  return (
    <>
      Refused requests are not counted by model.{' '}
      <LogsLink logs={logs} status="refused" className="underline underline-offset-2">
        The latest are in Logs
      </LogsLink>
      .
    </>
  );
}
