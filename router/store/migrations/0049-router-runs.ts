/** The runs of routers, so that a router that has stopped keeps its name and its history for a week. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('router_runs')
    .addColumn('router', 'text', (column) => column.primaryKey())
    .addColumn('host', 'text')
    .addColumn('pid', 'int8')
    .addColumn('url', 'text')
    .addColumn('regions', 'text', (column) => column.notNull())
    .addColumn('version', 'text')
    .addColumn('started', 'int8', (column) => column.notNull())
    .addColumn('reported', 'int8', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('router_runs_reported')
    .on('router_runs')
    .column('reported')
    .execute();
}
