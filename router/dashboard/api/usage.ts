/** Usage: single requests, their totals, and both as CSV. */
import { queryOptions } from '@tanstack/react-query';
import type { GROUPS_MAX, UsageEntry, UsageSummary } from '../../../shared/api/usage.ts';
import { get, pathOf } from './client.ts';
import { listQuery } from './lists.ts';
import { ofOrganization } from './organization.ts';

/** Selects requests by a span of time, and by filters of which each has at least one value. */
export type UsageFilter = Readonly<{
  start?: string;
  end?: string;
  model?: readonly string[];
  key?: readonly string[];
  member?: readonly string[];
  source?: readonly string[];
  status?: readonly string[];
  code?: readonly string[];
}>;

export type SummaryFilter = UsageFilter &
  Readonly<{ bucket: string; group_by?: string; groups?: number }>;

/** The most groups that a summary lists separately: those with the highest cost. */
export const SUMMARY_GROUPS_MAX = 50 satisfies typeof GROUPS_MAX;

const below = (organization: string) => `/organizations/${organization}/usage`;

export const summaryQuery = (organization: string, filter: SummaryFilter) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'usage', 'summary', filter),
    queryFn: ({ signal }) => get<UsageSummary>(`${below(organization)}/summary`, filter, signal),
  });

/** A page of this list may have fewer rows than its limit, or none, although more pages follow. */
export const usageQuery = (
  organization: string,
  query: UsageFilter & Readonly<{ limit?: number }>,
) =>
  listQuery<UsageEntry>(ofOrganization(organization, 'usage', 'list'), below(organization), query);

export function summaryCsv(organization: string, filter: SummaryFilter): string {
  return pathOf(`${below(organization)}/summary`, { ...filter, format: 'csv' });
}
