/** Which version of Penstock last migrated the store, and which versions can run on it. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('schema_state')
    .addColumn('only', 'int8', (column) => column.primaryKey())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('needs', 'text', (column) => column.notNull())
    .execute();
}
