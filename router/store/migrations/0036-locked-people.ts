/**
 * When an operator locked a person's account (null: it is not locked), and when the person last
 * signed in (0: not known), with what the lists of people are filtered and sorted by.
 */
import { type Kysely, sql } from 'kysely';

type Db = Kysely<unknown>;

/** How many of a person's newest entries in the audit log are searched for a sign-in. */
const ENTRIES_MAX = 200;

export async function up(db: Db): Promise<void> {
  await db.schema.alterTable('people').addColumn('locked_at', 'int8').execute();
  // A router of an earlier version, which may still run, does not write it.
  await db.schema
    .alterTable('people')
    .addColumn('last_sign_in', 'int8', (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`
    update people set last_sign_in = (
      select coalesce(max(known.at), 0) from (
        select recent.created as at from (
          select a.created, a.action from audit a where a.actor = people.id
          order by a.id desc limit ${sql.lit(ENTRIES_MAX)}
        ) recent where recent.action in ('session.begin', 'person.sign-up')
        union all select s.created as at from sessions s where s.person = people.id
      ) known
    ) where erased is null`.execute(db);
  await db.schema
    .createIndex('people_last_sign_in')
    .on('people')
    .columns(['last_sign_in', 'id'])
    .execute();
  // Few people are in each of these, so that a list of them reads few rows, in whatever order.
  await indexesOf(db, 'people_locked', 'locked_at is not null');
  await indexesOf(db, 'people_unconfirmed', 'email_confirmed is null');
  await indexesOf(db, 'people_second_factor', 'totp_step is not null');
  await indexesOf(db, 'people_operators', 'operator = 1');
}

async function indexesOf(db: Db, name: string, condition: string): Promise<void> {
  const where = sql.raw(condition);
  await sql`create index ${sql.ref(name)} on people (id) where ${where}`.execute(db);
  const bySignIn = sql.ref(`${name}_sign_in`);
  await sql`create index ${bySignIn} on people (last_sign_in, id) where ${where}`.execute(db);
}
