/** The history of the fleet: cells by time, of regions, models and workers. */
import { type Kysely, sql } from 'kysely';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await db.schema
    .createTable('history_series')
    .addColumn('id', 'int8', (column) => column.primaryKey())
    .addColumn('region', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('agent', 'text', (column) => column.notNull())
    .addColumn('worker', 'text', (column) => column.notNull())
    .addColumn('seen', 'int8', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('history_series_agent')
    .on('history_series')
    .columns(['agent', 'model'])
    .execute();
  await db.schema
    .createTable('history_cells')
    .addColumn('level', 'int8', (column) => column.notNull())
    .addColumn('chunk', 'int8', (column) => column.notNull())
    .addColumn('series', 'int8', (column) => column.notNull())
    .addColumn('cells', 'bytea', (column) => column.notNull())
    .addPrimaryKeyConstraint('history_cells_place', ['level', 'chunk', 'series'])
    .execute();
  await db.schema
    .createTable('history_batches')
    .addColumn('router', 'text', (column) => column.primaryKey())
    .addColumn('number', 'int8', (column) => column.notNull())
    .addColumn('written', 'int8', (column) => column.notNull())
    .execute();
  // The row that every batch locks.
  await sql`insert into history_batches (router, number, written) values ('', 0, 0)`.execute(db);
}
