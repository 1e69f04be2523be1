/**
 * When a member last used the organization; 0: not known. Until now this was read from the sessions
 * of the person, which do not say for which organization they were used.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // A router of an earlier version, which may still run, does not write it.
  await db.schema
    .alterTable('members')
    .addColumn('last_active', 'int8', (column) => column.notNull().defaultTo(0))
    .execute();
  // The sessions of who is no operator, and belongs to no other organization, were used for this one.
  await sql`
    update members set last_active = (
      select coalesce(max(s.last_seen), 0) from sessions s
      where s.person = members.person and s.last_seen >= members.created
        and not exists (
          select 1 from members other
          where other.person = members.person and other.id <> members.id
            and (other.left_at is null or other.left_at > s.last_seen)))
    where left_at is null and person in (select id from people where operator = 0)`.execute(db);
}
