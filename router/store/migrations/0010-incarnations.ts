/**
 * A router's incarnation stays for as long as it has holds: whoever sweeps them finds them by it. Holds that were
 * left under one that is gone are put under it again, as one that was declared dead, for the next beat to free.
 */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert into incarnations (id, beat, url, regions, started)
    select distinct h.incarnation, -1, cast(null as text), '', 0 from holds h
    where not exists (select 1 from incarnations i where i.id = h.incarnation)`.execute(db);
  // Routers of an earlier version may still run beside this one there, and remove them without looking.
  if (db.getExecutor().adapter instanceof PostgresAdapter) await refuseRemoval(db);
}

/** A foreign key would do it, too, but has every new hold look its incarnation up. */
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
