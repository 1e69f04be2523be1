/**
 * The organizations in which an operator has allowed changes for a while: without a row that has
 * not ended, an operator's session only reads there.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('operator_changes')
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('person', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('begun', 'int8', (column) => column.notNull())
    .addColumn('ends', 'int8', (column) => column.notNull())
    .addPrimaryKeyConstraint('operator_changes_key', ['person', 'organization'])
    .execute();
  await db.schema
    .createIndex('operator_changes_ends')
    .on('operator_changes')
    .column('ends')
    .execute();
}
