/** The history of the fleet that the routers keep. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  FleetHistory,
  HISTORY_GROUPS_MAX,
  HISTORY_TOTALS_MAX,
} from '../../../shared/api/fleet-history.ts';
import type { HISTORY_GROUPINGS, HISTORY_SPANS } from '../operator-search.ts';
import { get } from './client.ts';

/** What the history is narrowed to and grouped by. */
export type HistoryFilter = Readonly<{
  span?: (typeof HISTORY_SPANS)[number];
  /** A range in place of the span, as ISO 8601. */
  start?: string;
  end?: string;
  group_by?: (typeof HISTORY_GROUPINGS)[number] | 'worker' | undefined;
  model?: string | undefined;
  region?: string | undefined;
  agent?: string | undefined;
  /** The most groups; as many as the charts have colours for, if it is left out. */
  groups?: number;
  /** Only the totals of the groups are read. */
  points?: 'none';
}>;

/** The most groups that the API returns. */
export const GROUPS_MAX = 20 satisfies typeof HISTORY_GROUPS_MAX;
/** The most groups that it returns with only their totals. */
const TOTALS_MAX = 200 satisfies typeof HISTORY_TOTALS_MAX;
/** The most groups that the charts have colours for. */
const GROUPS = 7;

/** `groupedBy`: what the groups are, which may be shown until those of another choice are loaded. */
export type GroupedHistory = FleetHistory &
  Readonly<{ groupedBy: NonNullable<HistoryFilter['group_by']> | null }>;

/** Routers write their history once a minute. */
export const fleetHistoryQuery = (filter: HistoryFilter) =>
  queryOptions({
    queryKey: ['platform', 'history', filter],
    queryFn: async ({ signal }): Promise<GroupedHistory> => ({
      ...(await get<FleetHistory>('/fleet/history', { groups: GROUPS, ...filter }, signal)),
      groupedBy: filter.group_by ?? null,
    }),
    placeholderData: keepPreviousData,
    staleTime: 20_000,
    refetchInterval: 60_000,
  });

/** What each worker did in the last hour. */
export const workersHourQuery = fleetHistoryQuery({
  span: 'hour',
  group_by: 'worker',
  groups: TOTALS_MAX,
  points: 'none',
});

/** How requests ended in each region in the last hour. */
export const regionsHourQuery = fleetHistoryQuery({
  span: 'hour',
  group_by: 'region',
  points: 'none',
});
