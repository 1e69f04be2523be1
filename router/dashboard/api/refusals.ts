/** Requests that were refused before they were admitted, and single requests of either kind. */
import { queryOptions } from '@tanstack/react-query';
import type { FoundRequest, RefusalCounts, RefusalEntry } from '../../../shared/api/refusals.ts';
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

/** Whether a request was refused lately because the credit did not cover it. */
export const latestShortfallQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'credit', 'shortfall'),
    queryFn: async ({ signal }) => {
      const start = new Date(now() - SHORTFALL_MINUTES * MINUTE_MS).toISOString();
      const asked = { limit: 1, code: 'insufficient_credit', start };
      const path = `/organizations/${organization}/refusals`;
      return (await get<Page<RefusalEntry>>(path, asked, signal)).data.length > 0;
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
