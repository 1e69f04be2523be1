/** The database's own clock, and the latest time at which a router was seen running by it. */
import { PostgresAdapter, sql } from 'kysely';
import type { Procedure } from './procedure.ts';

const ONLY = 1n;

/** ms since the epoch; `seen` null: no router has run since the store keeps it. */
export type StoreTime = Readonly<{ now: number; seen: number | null }>;

/** The one procedure that reads a clock: it is the database's, and that is what it is for. */
export const readTime: Procedure<null, StoreTime> = {
  name: 'readTime',
  access: 'read',
  async run(db) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    // Of its microseconds as a whole number: a double would come back as text.
    const instant = isPostgres
      ? sql<bigint>`(extract(epoch from clock_timestamp()) * 1000)::int8`
      : sql<bigint>`cast(unixepoch('subsec') * 1000 as integer)`;
    const { rows } = await sql<{ now: bigint }>`select ${instant} as now`.execute(db);
    const row = await db.selectFrom('fleet_time').select('seen').executeTakeFirst();
    return { now: Number(rows[0]?.now), seen: row ? Number(row.seen) : null };
  },
};

/** A router runs at this time. */
export const noteTime: Procedure<number, null> = {
  name: 'noteTime',
  access: 'write',
  async run(db, now) {
    const seen = BigInt(Math.round(now));
    await db
      .insertInto('fleet_time')
      .values({ only: ONLY, seen })
      .onConflict((conflict) =>
        conflict.column('only').doUpdateSet({ seen }).where('fleet_time.seen', '<', seen),
      )
      .execute();
    return null;
  },
};

/** The time of the store is right, whatever was seen before. */
export const forgetTime: Procedure<null, null> = {
  name: 'forgetTime',
  access: 'write',
  async run(db) {
    await db.deleteFrom('fleet_time').execute();
    return null;
  },
};
