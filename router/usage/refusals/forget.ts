/**
 * Deletes refusals in slices: those that are too old, the details beyond the latest of each
 * organization and code, and all of an organization that is erased.
 */
import { MINUTE_MS } from '../../../shared/durations.ts';
import { type RawBuilder, sql } from 'kysely';
import { idsFrom, type OrganizationId, type RequestId } from '../../../shared/ids.ts';
import type { RefusalCode } from '../../../shared/refusals.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';

/** How many refusals of each organization and code are kept in full. */
export const DETAILS_PER_CODE = 200;

/** Deletes what is older than `before` (ms since the epoch). Returns how many rows it deleted. */
export const forgetOldRefusals = writeProcedure<Readonly<{ before: number; rows: number }>, number>(
  'forgetOldRefusals',
  async (db, { before, rows }) => {
    const minute = BigInt(Math.floor(before / MINUTE_MS));
    const counts = await deleteCounts(db, sql`minute < ${minute}`, rows);
    const first = idsFrom('request', before) as RequestId;
    return counts + (await deleteDetails(db, sql`request < ${first}`, rows));
  },
);

/** Deletes what an organization has. Returns how many rows it deleted. */
export async function eraseRefusals(
  db: Db,
  organization: OrganizationId,
  rows: number,
): Promise<number> {
  const own = sql`organization = ${organization}`;
  return (await deleteCounts(db, own, rows)) + (await deleteDetails(db, own, rows));
}

/** Lists the organizations that had refusals since `since`, by id, after `after`. */
export const findRefusedSince = readProcedure<
  Readonly<{ since: number; after: OrganizationId | null; limit: number }>,
  readonly OrganizationId[]
>('findRefusedSince', async (db, { since, after, limit }) => {
  const rows = await db
    .selectFrom('refusal_counts')
    .select('organization')
    .distinct()
    .where('minute', '>=', BigInt(Math.floor(since / MINUTE_MS)))
    .where('organization', '>', after ?? ('' as OrganizationId))
    .orderBy('organization')
    .limit(limit)
    .execute();
  return rows.map(({ organization }) => organization);
});

/** Of each code of which more than the latest are kept: the latest refusal that is one too many. */
export const findBeyondLatest = readProcedure<
  OrganizationId,
  readonly Readonly<{ code: RefusalCode; request: RequestId }>[]
>('findBeyondLatest', async (db, organization) => {
  const { rows } = await sql<{ code: RefusalCode; request: RequestId }>`
    select code, request from (
      select code, request, row_number() over (partition by code order by request desc) as place
      from refusals where organization = ${organization}
    ) as placed where place = ${sql.lit(DETAILS_PER_CODE + 1)}`.execute(db);
  return rows;
});

/** Deletes refusals of a code up to `request`. Returns how many rows it deleted. */
export const trimRefusals = writeProcedure<
  Readonly<{ organization: OrganizationId; code: RefusalCode; request: RequestId; rows: number }>,
  number
>('trimRefusals', async (db, { organization, code, request, rows }) => {
  const beyond = sql`organization = ${organization} and request <= ${request} and code = ${code}`;
  return await deleteDetails(db, beyond, rows);
});

async function deleteDetails(db: Db, which: RawBuilder<unknown>, rows: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from refusals where request in (
      select request from refusals where ${which} limit ${sql.lit(rows)})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

async function deleteCounts(db: Db, which: RawBuilder<unknown>, rows: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from refusal_counts where (organization, minute, key, code, recorder) in (
      select organization, minute, key, code, recorder from refusal_counts
      where ${which} limit ${sql.lit(rows)})`.execute(db);
  return Number(numAffectedRows ?? 0);
}
