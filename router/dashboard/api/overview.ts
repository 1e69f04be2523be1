/** The usage queries of the overview page. */
import { queryOptions } from '@tanstack/react-query';
import type { RefusalEntry } from '../../../shared/api/refusals.ts';
import type { UsageEntry, UsageSummary } from '../../../shared/api/usage.ts';
import { get, type Page } from './client.ts';
import { ofOrganization } from './organization.ts';
import { summaryQuery } from './usage.ts';

const AGAIN_MS = 30_000;
/** Models, and keys, that are shown separately. All others are one more. */
const SHOWN_MAX = 6;

/** The newest request, or null when there has been none. */
export const latestQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'overview', 'latest'),
    queryFn: async ({ signal }) => {
      const path = `/organizations/${organization}/usage`;
      return (await get<Page<UsageEntry>>(path, { limit: 1 }, signal)).data[0] ?? null;
    },
  });

/** The newest request that succeeded, or null when none has. */
export const latestSuccessQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'overview', 'latest-success'),
    queryFn: async ({ signal }) => {
      const path = `/organizations/${organization}/usage`;
      const asked = { limit: 1, status: '2xx' };
      return (await get<Page<UsageEntry>>(path, asked, signal)).data[0] ?? null;
    },
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

/** The usage of each day up to today, by the router's clock. */
export const daysQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'overview', 'days'),
    queryFn: ({ signal }) =>
      get<UsageSummary>(
        `/organizations/${organization}/usage/summary`,
        { bucket: 'day', group_by: 'model', groups: SHOWN_MAX },
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
  summaryQuery(organization, { bucket: 'day', start, end, group_by: 'key', groups: SHOWN_MAX });
