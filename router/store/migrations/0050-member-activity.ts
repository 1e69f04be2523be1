/**
 * When a member last used the organization; 0: not known, as of all members until they use it again.
 * The sessions of a person do not say for which organization they were used.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // A router of an earlier version, which may still run, does not write it.
  await db.schema
    .alterTable('members')
    .addColumn('last_active', 'int8', (column) => column.notNull().defaultTo(0))
    .execute();
}
