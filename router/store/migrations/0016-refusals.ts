/** Requests that were refused before they were admitted: counts by minute, and the latest in full. */
import type { Kysely } from 'kysely';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await db.schema
    .createTable('refusal_counts')
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('minute', 'int8', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('code', 'text', (column) => column.notNull())
    .addColumn('recorder', 'text', (column) => column.notNull())
    .addColumn('count', 'int8', (column) => column.notNull())
    .addPrimaryKeyConstraint('refusal_counts_cell', [
      'organization',
      'minute',
      'key',
      'code',
      'recorder',
    ])
    .execute();
  await db.schema
    .createIndex('refusal_counts_minute')
    .on('refusal_counts')
    .column('minute')
    .execute();
  await db.schema
    .createTable('refusals')
    .addColumn('request', 'text', (column) => column.primaryKey())
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('region', 'text', (column) => column.notNull())
    .addColumn('endpoint', 'text')
    .addColumn('model', 'text')
    .addColumn('param', 'text')
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('status', 'int8', (column) => column.notNull())
    .addColumn('code', 'text', (column) => column.notNull())
    .addColumn('created', 'int8', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('refusals_organization')
    .on('refusals')
    .columns(['organization', 'request'])
    .execute();
}
