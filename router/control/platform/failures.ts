/** The requests of all organizations that were admitted and failed with a status of 5xx. */
import { sql } from 'kysely';
import type { PlatformFailure } from '../../../shared/api/platform.ts';
import type { RequestId } from '../../../shared/ids.ts';
import { readProcedure } from '../../store/procedure.ts';
import type { UsageRow } from '../../store/schema/ledger.ts';
import { isoInstant } from '../api.ts';
import { cutPage, type ListQuery, type Page } from '../pages.ts';

type FailedRow = Pick<
  UsageRow,
  'request' | 'organization' | 'model' | 'region' | 'agent' | 'status' | 'error' | 'created'
> &
  Readonly<{ organization_name: string | null; agent_name: string | null }>;

/** The latest to arrive is first: the id of a request begins with the time. */
export const listFailures = readProcedure<ListQuery<RequestId>, Page<FailedRow, RequestId>>(
  'listFailures',
  async (db, { after, limit }) => {
    const failed = db
      .selectFrom('usage')
      .leftJoin('organizations', 'organizations.id', 'usage.organization')
      .leftJoin('agents', 'agents.id', 'usage.agent')
      .select([
        'usage.request',
        'usage.organization',
        'usage.model',
        'usage.region',
        'usage.agent',
        'usage.status',
        'usage.error',
        'usage.created',
        'organizations.name as organization_name',
        'agents.name as agent_name',
      ])
      // As the index `usage_failed` has it, so that no other rows are read.
      .where(sql<boolean>`usage.status >= 500`)
      .orderBy('usage.request', 'desc')
      .limit(limit + 1);
    const asked = after === null ? failed : failed.where('usage.request', '<', after);
    return cutPage(await asked.execute(), limit, ({ request }) => request);
  },
);

export function shownFailure(row: FailedRow): PlatformFailure {
  return {
    request_id: row.request,
    organization: row.organization,
    organization_name: row.organization_name,
    model: row.model,
    region: row.region,
    agent: row.agent,
    agent_name: row.agent_name,
    status: Number(row.status),
    error: row.error,
    created: isoInstant(Number(row.created)),
  };
}
