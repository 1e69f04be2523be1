/** Writes what a router has recorded of refusals. The same rows may be written again. */
import type { OrganizationId } from '../../../shared/ids.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, writeProcedure } from '../../store/procedure.ts';
import type { RefusalCountRow, RefusalRow } from '../../store/schema/refusals.ts';

/** `created`: when it arrived, in ms since the epoch. */
export type RefusedRequest = Readonly<
  Omit<RefusalRow, 'status' | 'created'> & { status: number; created: number }
>;

/** `count`: all that the recorder has counted in this minute so far. */
export type CountedRefusals = Readonly<Omit<RefusalCountRow, 'count'> & { count: number }>;

export const writeRefusals = writeProcedure<
  Readonly<{ counts: readonly CountedRefusals[]; details: readonly RefusedRequest[] }>,
  null
>('writeRefusals', async (db, { counts, details }) => {
  const erased = await deletedAmong(db, [...counts, ...details]);
  const kept = counts.filter(({ organization }) => !erased.has(organization));
  if (kept.length > 0) {
    await db
      .insertInto('refusal_counts')
      .values(kept.map((row) => ({ ...row, count: BigInt(row.count) })))
      .onConflict((conflict) =>
        conflict
          .columns(['organization', 'minute', 'key', 'code', 'recorder'])
          .doUpdateSet({ count: (row) => row.ref('excluded.count') }),
      )
      .execute();
  }
  const rows = details.filter(({ organization }) => !erased.has(organization));
  if (rows.length > 0) {
    await db
      .insertInto('refusals')
      .values(
        rows.map(({ status, created, ...row }) => ({
          ...row,
          status: BigInt(status),
          created: milliseconds(created),
        })),
      )
      .onConflict((conflict) => conflict.column('request').doNothing())
      .execute();
  }
  return null;
});

/** Keys of a deleted organization are still refused, but nothing about it may be stored again. */
export async function deletedAmong(
  db: Db,
  rows: readonly Readonly<{ organization: OrganizationId }>[],
): Promise<ReadonlySet<OrganizationId>> {
  const ids = [...new Set(rows.map(({ organization }) => organization))];
  if (ids.length === 0) return new Set();
  const deleted = await db
    .selectFrom('organizations')
    .select('id')
    .where('id', 'in', ids)
    .where('deleted', 'is not', null)
    .execute();
  return new Set(deleted.map(({ id }) => id));
}
