/** Requests that were refused before they were admitted, and single requests of either kind. */
import { queryOptions } from '@tanstack/react-query';
import type { FoundRequest, RefusalCounts, RefusalEntry } from '../../../shared/api/refusals.ts';
import type { UsageEntry } from '../../../shared/api/usage.ts';
import { MINUTE_MS } from '../../../shared/durations.ts';
import { now } from '../clock.ts';
import { get, type Page } from './client.ts';
import { listQuery } from './lists.ts';
import { ofOrganization } from './organization.ts';

export type RefusalFilter = Readonly<{
  start?: string;
  end?: string;
  key?: readonly string[];
  model?: readonly string[];
  code?: readonly string[];
  status?: readonly string[];
}>;

export const refusalsQuery = (organization: string, query: RefusalFilter) =>
  listQuery<RefusalEntry>(
    ofOrganization(organization, 'usage', 'refusals'),
    `/organizations/${organization}/refusals`,
    query,
  );

/**
 * The notice of low credit mentions shortfalls of the last so many minutes. Credit that was added
 * since may have ended an older one.
 */
export const SHORTFALL_MINUTES = 10;

/** So many requests in a row that the credit did not cover show that it covers none. */
const SHORTFALLS_IN_A_ROW = 3;

type Shortfalls = Readonly<{
  /** Whether a request was refused lately because the credit did not cover it. */
  areThere: boolean;
  /** Whether the latest requests were all refused for this. */
  areAll: boolean;
}>;

export const latestShortfallsQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'credit', 'shortfalls'),
    queryFn: async ({ signal }): Promise<Shortfalls> => {
      const start = new Date(now() - SHORTFALL_MINUTES * MINUTE_MS).toISOString();
      const path = `/organizations/${organization}`;
      const asked = { limit: SHORTFALLS_IN_A_ROW, code: 'insufficient_credit', start };
      const { data } = await get<Page<RefusalEntry>>(`${path}/refusals`, asked, signal);
      const areThere = data.length > 0;
      const first = data[SHORTFALLS_IN_A_ROW - 1]?.created;
      if (first === undefined) return { areThere, areAll: false };
      const admitted = { limit: 1, start: first };
      const since = await get<Page<UsageEntry>>(`${path}/usage`, admitted, signal);
      return { areThere, areAll: since.data.length === 0 };
    },
  });

type CountFilter = Omit<RefusalFilter, 'model'> &
  Readonly<{ bucket: string; group_by?: 'code' | 'key' }>;

export const refusalCountsQuery = (organization: string, filter: CountFilter) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'usage', 'refusal-counts', filter),
    queryFn: ({ signal }) =>
      get<RefusalCounts>(`/organizations/${organization}/refusals/counts`, filter, signal),
  });

export const requestQuery = (organization: string, request: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'usage', 'request', request),
    queryFn: ({ signal }) =>
      get<FoundRequest>(
        `/organizations/${organization}/requests/${encodeURIComponent(request)}`,
        {},
        signal,
      ),
  });
