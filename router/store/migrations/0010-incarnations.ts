/**
 * A router's incarnation now stays while it has holds, because a sweep finds the holds through it.
 * For holds whose incarnation was removed, the incarnation is inserted again as declared dead, and
 * the next heartbeat frees the holds.
 */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert into incarnations (id, beat, url, regions, started)
    select distinct h.incarnation, -1, cast(null as text), '', 0 from holds h
    where not exists (select 1 from incarnations i where i.id = h.incarnation)`.execute(db);
  // Routers of an earlier version may still be running, and would delete incarnations unchecked.
  if (db.getExecutor().adapter instanceof PostgresAdapter) await refuseRemoval(db);
}

/** A foreign key would do it too, but would look up the incarnation for every new hold. */
async function refuseRemoval(db: Kysely<unknown>): Promise<void> {
  await sql`create function penstock_keep_incarnation() returns trigger language plpgsql as $$
    begin
      if exists (select 1 from holds where incarnation = old.id) then
        raise exception 'incarnation % still has holds', old.id using errcode = '23503';
      end if;
      return old;
    end $$`.execute(db);
  await sql`create trigger incarnations_keep before delete on incarnations
    for each row execute function penstock_keep_incarnation()`.execute(db);
}
