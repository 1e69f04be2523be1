/** The settings that all routers share, and the latest time at which a router was running. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fleet_settings')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('fleet_time')
    .addColumn('only', 'int8', (column) => column.primaryKey())
    .addColumn('seen', 'int8', (column) => column.notNull())
    .execute();
}
