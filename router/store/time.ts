/** The database's own clock, and the latest time by it at which a router was running. */
import { sql } from 'kysely';
import { isPostgres } from './dialect.ts';
import { milliseconds } from './milliseconds.ts';
import { readProcedure, writeProcedure } from './procedure.ts';

const ONLY = 1n;

/** `now`, in ms since the epoch; `seen`: when a router last ran, null if that is not recorded. */
export type StoreTime = Readonly<{ now: number; seen: number | null }>;

/** The only procedure that reads a clock: it exists to read the database's. */
export const readTime = readProcedure<null, StoreTime>('readTime', async (db) => {
  // As a whole number of ms: a double would come back as text.
  const instant = isPostgres(db)
    ? sql<bigint>`(extract(epoch from clock_timestamp()) * 1000)::int8`
    : sql<bigint>`cast(unixepoch('subsec') * 1000 as integer)`;
  const { rows } = await sql<{ now: bigint }>`select ${instant} as now`.execute(db);
  const row = await db.selectFrom('fleet_time').select('seen').executeTakeFirst();
  return { now: Number(rows[0]?.now), seen: row ? Number(row.seen) : null };
});

/** Records that a router is running at this time; an earlier time changes nothing. */
export const noteTime = writeProcedure<number, null>('noteTime', async (db, now) => {
  const seen = milliseconds(now);
  await db
    .insertInto('fleet_time')
    .values({ only: ONLY, seen })
    .onConflict((conflict) =>
      conflict.column('only').doUpdateSet({ seen }).where('fleet_time.seen', '<', seen),
    )
    .execute();
  return null;
});

/** Deletes the record of when a router last ran: an operator has confirmed the store's time. */
export const forgetTime = writeProcedure<null, null>('forgetTime', async (db) => {
  await db.deleteFrom('fleet_time').execute();
  return null;
});
