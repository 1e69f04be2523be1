/** Loads both lists of the page: requests that were admitted, and those that were refused. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { LIVE_MS } from '../../api/fleet.ts';
import { refusalsQuery } from '../../api/refusals.ts';
import { usageQuery } from '../../api/usage.ts';
import type { List } from '../../parts/list/loaded-list.tsx';
import { useOrganization } from '../../session.tsx';
import { type LogRow, merged } from './merge.ts';
import { listStatuses, type LogNarrowing } from './narrowing.ts';

/** While the list is live, each list has only its first page, so that a refetch is one call. */
const LIVE_ROWS = 100;

type Logs = List<LogRow> & Readonly<{ isFetching: boolean }>;

type Asked = Readonly<{
  time: Readonly<{ start: string; end?: string | undefined }>;
  narrowing: LogNarrowing;
  live?: boolean;
  /** How often the list is refetched while it is not live. */
  againMs?: number | false;
  /** How many requests a page of each list has. */
  limit?: number;
}>;

export function useLogs({ time, narrowing, live = false, againMs = false, limit }: Asked): Logs {
  const organization = useOrganization();
  const { code, key, model, member, source } = narrowing;
  const asked = {
    start: time.start,
    ...(time.end && { end: time.end }),
    ...(code && { code }),
    ...(key && { key }),
    ...(model && { model }),
    ...(limit !== undefined && { limit }),
    ...(live && { limit: LIVE_ROWS }),
  };
  const status = listStatuses(narrowing);
  const common = {
    placeholderData: keepPreviousData,
    // With another filter or without the live list, what was loaded before may lack new requests.
    staleTime: 0,
    refetchInterval: live ? LIVE_MS : againMs,
  };
  const usage = useInfiniteQuery({
    ...usageQuery(organization, {
      ...asked,
      ...(member && { member }),
      ...(source && { source }),
      ...(status.admitted?.length && { status: status.admitted }),
    }),
    ...common,
    enabled: status.admitted !== null,
  });
  const refusals = useInfiniteQuery({
    ...refusalsQuery(organization, {
      ...asked,
      ...(status.refused?.length && { status: status.refused }),
    }),
    ...common,
    enabled: status.refused !== null,
  });
  const lists = [...(status.admitted ? [usage] : []), ...(status.refused ? [refusals] : [])];
  const isComplete = lists.every(({ data }) => data !== undefined);
  const growing = live ? [] : lists.filter(({ hasNextPage }) => hasNextPage);
  const together = (run: (list: (typeof lists)[number]) => Promise<unknown>, of = lists) =>
    Promise.all(of.map(run));
  return {
    data: isComplete
      ? merged(
          {
            entries: (lists.includes(usage) && usage.data) || [],
            hasMore: lists.includes(usage) && usage.hasNextPage,
          },
          {
            entries: (lists.includes(refusals) && refusals.data) || [],
            hasMore: lists.includes(refusals) && refusals.hasNextPage,
          },
        )
      : undefined,
    error: lists.find(({ error }) => error)?.error ?? null,
    refetch: () => together((list) => list.refetch()),
    isFetching: lists.some(({ isFetching }) => isFetching),
    hasNextPage: growing.length > 0,
    isFetchingNextPage: lists.some((list) => list.isFetchingNextPage),
    isFetchNextPageError: lists.some((list) => list.isFetchNextPageError),
    fetchNextPage: () => together((list) => list.fetchNextPage(), growing),
  };
}
