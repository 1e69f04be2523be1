/**
 * What an operator may do, and since when the person is an operator. Existing operators are
 * administrators. An operator without a role was created by a router of an earlier version, and is
 * an administrator too. Without a time, the person is an operator since the account exists.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('people').addColumn('operator_role', 'text').execute();
  await db.schema.alterTable('people').addColumn('operator_since', 'int8').execute();
  await sql`update people set operator_role = 'administrator' where operator = 1`.execute(db);
}
