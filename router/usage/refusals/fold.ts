/**
 * Folds the counts of old minutes into counts of hours, so that what a flood leaves behind does not
 * grow with the minutes that it lasts.
 */
import { sql } from 'kysely';
import { readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { RefusalCountRow } from '../../store/schema/refusals.ts';
import { HOUR_MS } from '../../../shared/durations.ts';
import { deletedAmong } from './write.ts';

/** How long counts are kept by minute. Routers no longer write the minutes before. */
export const MINUTES_KEPT_MS = 48 * HOUR_MS;
/** The recorder of a folded count, whose minute is the first of its hour. */
const FOLDED = '';
const MINUTES = 60n;

/** Returns the first hour (since 1970) from `from` on and before `until` with counts of minutes. */
export const findHourToFold = readProcedure<
  Readonly<{ from: number; until: number }>,
  number | null
>('findHourToFold', { heavy: true }, async (db, { from, until }) => {
  const row = await db
    .selectFrom('refusal_counts')
    .select('minute')
    .where('minute', '>=', BigInt(from) * MINUTES)
    .where('minute', '<', BigInt(until) * MINUTES)
    .where('recorder', '<>', FOLDED)
    .orderBy('minute')
    .limit(1)
    .executeTakeFirst();
  return row ? Number(row.minute / MINUTES) : null;
});

/** Folds counts of an hour. Returns how many rows it folded: fewer than `rows` when none is left. */
export const foldRefusalHour = writeProcedure<Readonly<{ hour: number; rows: number }>, number>(
  'foldRefusalHour',
  async (db, { hour, rows }) => {
    const first = BigInt(hour) * MINUTES;
    // What this call deletes is what it adds, whatever other routers fold at the same time.
    const { rows: taken } = await sql<RefusalCountRow>`
      delete from refusal_counts where (organization, minute, key, code, recorder) in (
        select organization, minute, key, code, recorder from refusal_counts
        where minute >= ${first} and minute < ${first + MINUTES} and recorder <> ${FOLDED}
        limit ${sql.lit(rows)})
      returning organization, key, code, count`.execute(db);
    const deleted = await deletedAmong(db, taken);
    const sums = new Map<string, RefusalCountRow>();
    for (const { organization, key, code, count } of taken) {
      if (deleted.has(organization)) continue;
      const place = `${organization}/${key}/${code}`;
      const before = sums.get(place)?.count ?? 0n;
      const row = { organization, minute: first, key, code, recorder: FOLDED };
      sums.set(place, { ...row, count: before + count });
    }
    if (sums.size > 0) {
      await db
        .insertInto('refusal_counts')
        // In one order for all routers, so that none waits for another in a circle.
        .values([...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row))
        .onConflict((conflict) =>
          conflict.columns(['organization', 'minute', 'key', 'code', 'recorder']).doUpdateSet({
            count: (row) => sql`${row.ref('refusal_counts.count')} + ${row.ref('excluded.count')}`,
          }),
        )
        .execute();
    }
    return taken.length;
  },
);
