/** The requests of all organizations that failed with a status of 5xx, also those that were refused. */
import { sql } from 'kysely';
import type { PlatformFailure } from '../../../shared/api/platform.ts';
import type { RequestId } from '../../../shared/ids.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import type { UsageRow } from '../../store/schema/ledger.ts';
import { isoInstant } from '../api.ts';
import { cutPage, type ListQuery, type Page } from '../pages.ts';

/** `model`: empty if the request was refused before it was read. */
type FailedRow = Pick<
  UsageRow,
  'request' | 'organization' | 'model' | 'status' | 'error' | 'created'
> &
  Readonly<{
    region: string;
    agent: string | null;
    organization_name: string | null;
    agent_name: string | null;
    refused: boolean;
  }>;

/**
 * The latest to arrive is first: the id of a request begins with the time. Reads at most one page of
 * the admitted requests and one of the refused.
 */
export const listFailures = readProcedure<ListQuery<RequestId>, Page<FailedRow, RequestId>>(
  'listFailures',
  async (db, asked) => {
    const [admitted, refused] = [await readAdmitted(db, asked), await readRefused(db, asked)];
    const found = [...admitted, ...refused].toSorted((a, b) => (a.request < b.request ? 1 : -1));
    return cutPage(found, asked.limit, ({ request }) => request);
  },
);

async function readAdmitted(
  db: Db,
  { after, limit }: ListQuery<RequestId>,
): Promise<readonly FailedRow[]> {
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
  const rows = await (after === null
    ? failed
    : failed.where('usage.request', '<', after)
  ).execute();
  return rows.map((row) => ({ ...row, refused: false }));
}

async function readRefused(
  db: Db,
  { after, limit }: ListQuery<RequestId>,
): Promise<readonly FailedRow[]> {
  const failed = db
    .selectFrom('refusals')
    .leftJoin('organizations', 'organizations.id', 'refusals.organization')
    .select([
      'refusals.request',
      'refusals.organization',
      'refusals.model',
      'refusals.region',
      'refusals.status',
      'refusals.code as error',
      'refusals.created',
      'organizations.name as organization_name',
    ])
    // As the index `refusals_failed` has it.
    .where(sql<boolean>`refusals.status >= 500`)
    .orderBy('refusals.request', 'desc')
    .limit(limit + 1);
  const rows = await (after === null
    ? failed
    : failed.where('refusals.request', '<', after)
  ).execute();
  return rows.map(({ model, ...row }) => ({
    ...row,
    model: model ?? '',
    agent: null,
    agent_name: null,
    refused: true,
  }));
}

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
    refused: row.refused,
  };
}
