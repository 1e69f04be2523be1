/** The alarms of the platform. A router of an earlier version, which may still run, writes none. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alarms')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('severity', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('page', 'text', (column) => column.notNull())
    .addColumn('affected', 'int8', (column) => column.notNull())
    .addColumn('models', 'text', (column) => column.notNull())
    .addColumn('regions', 'text', (column) => column.notNull())
    .addColumn('routers', 'text', (column) => column.notNull())
    .addColumn('began', 'int8', (column) => column.notNull())
    .addColumn('seen', 'int8', (column) => column.notNull())
    .addColumn('ended', 'int8')
    .execute();
  await db.schema.createIndex('alarms_ended').on('alarms').column('ended').execute();
}
