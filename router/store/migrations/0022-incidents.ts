/** Incidents that operators write, and their updates. */
import type { Kysely } from 'kysely';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await db.schema
    .createTable('incidents')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('models', 'text', (column) => column.notNull())
    .addColumn('regions', 'text', (column) => column.notNull())
    .addColumn('created', 'int8', (column) => column.notNull())
    .addColumn('resolved', 'int8')
    .execute();
  await db.schema
    .createTable('incident_updates')
    .addColumn('incident', 'text', (column) => column.notNull().references('incidents.id'))
    .addColumn('number', 'int8', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('created', 'int8', (column) => column.notNull())
    .addPrimaryKeyConstraint('incident_updates_place', ['incident', 'number'])
    .execute();
}
