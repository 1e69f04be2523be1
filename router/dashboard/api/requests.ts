/** Requests that were admitted or refused, as one file. */
import { pathOf } from './client.ts';
import type { UsageFilter } from './usage.ts';

/** Its `status` may be `refused`, too. */
export function requestsCsv(organization: string, query: UsageFilter): string {
  return pathOf(`/organizations/${organization}/requests/csv`, query);
}
