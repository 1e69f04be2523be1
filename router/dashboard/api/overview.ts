/** The usage queries of the overview page. */
import { queryOptions } from '@tanstack/react-query';
import type { RefusalEntry } from '../../../shared/api/refusals.ts';
import type { UsageEntry, UsageSummary } from '../../../shared/api/usage.ts';
import { get, type Page } from './client.ts';
import { ofOrganization } from './organization.ts';
import { summaryQuery } from './usage.ts';

const AGAIN_MS = 30_000;
/** Models with a series of their own in the chart; all other models share one more series. */
const MODELS_MAX = 6;
const ERRORS_MAX = 5;
const KEYS_MAX = 5;

function list(organization: string, status: string | undefined, signal: AbortSignal) {
  const query = { limit: status === undefined ? 1 : ERRORS_MAX, status };
  return get<Page<UsageEntry>>(`/organizations/${organization}/usage`, query, signal);
}

/** The newest request, or null when there has been none. */
export const latestQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'overview', 'latest'),
    queryFn: async ({ signal }) => (await list(organization, undefined, signal)).data[0] ?? null,
  });

/** The newest request that was refused before it was admitted, or null when there is none. */
export const latestRefusalQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'overview', 'latest-refusal'),
    queryFn: async ({ signal }) => {
      const path = `/organizations/${organization}/refusals`;
      return (await get<Page<RefusalEntry>>(path, { limit: 1 }, signal)).data[0] ?? null;
    },
  });

/** A request that failed, was canceled by its client, or was refused before it was admitted. */
export type RecentError = Readonly<{
  request_id: string;
  status: number;
  /** Null when the client canceled the request. */
  error: string | null;
  model: string | null;
  key: string;
  created: string;
}>;

/** The newest requests that failed or were refused. */
export const errorsQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'overview', 'errors'),
    queryFn: async ({ signal }): Promise<RecentError[]> => {
      const [refused, ...failed] = await Promise.all([
        get<Page<RefusalEntry>>(
          `/organizations/${organization}/refusals`,
          { limit: ERRORS_MAX },
          signal,
        ),
        ...['4xx', '5xx'].map((status) => list(organization, status, signal)),
      ]);
      const refusals = refused.data.map((row) => ({
        ...row,
        error: row.code,
        key: row.key_name ?? row.key_id,
      }));
      const failures = failed
        .flatMap(({ data }) => data)
        .map((row) => ({
          ...row,
          key: row.source === 'playground' ? 'Playground' : (row.key_name ?? row.key_id),
        }));
      return [...refusals, ...failures]
        .toSorted((a, b) => b.created.localeCompare(a.created))
        .slice(0, ERRORS_MAX);
    },
    refetchInterval: AGAIN_MS,
  });

/** The usage of each day up to today, by the router's clock. */
export const daysQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'overview', 'days'),
    queryFn: ({ signal }) =>
      get<UsageSummary>(
        `/organizations/${organization}/usage/summary`,
        { bucket: 'day', group_by: 'model', groups: MODELS_MAX },
        signal,
      ),
    refetchInterval: AGAIN_MS,
  });

type Period = Readonly<{ start: string; end: string }>;

/** The totals of a period of days. */
export const periodQuery = (organization: string, { start, end }: Period) =>
  summaryQuery(organization, { bucket: 'day', start, end });

/** The keys that spent the most in a period of days. */
export const topKeysQuery = (organization: string, { start, end }: Period) =>
  summaryQuery(organization, { bucket: 'day', start, end, group_by: 'key', groups: KEYS_MAX });
