/** Usage analytics: the usage rows folded into cells by time, model, key, member and source. */
import type { Kysely } from 'kysely';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await db.schema
    .createTable('usage_folds')
    .addColumn('organization', 'text', (column) => column.primaryKey())
    .addColumn('folded_seq', 'int8', (column) => column.notNull())
    .addColumn('version', 'int8', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('usage_series')
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('id', 'int8', (column) => column.notNull())
    .addColumn('shape', 'int8', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('member', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_series_id', ['organization', 'id'])
    .execute();
  await db.schema
    .createIndex('usage_series_shape')
    .on('usage_series')
    .columns(['organization', 'shape'])
    .execute();
  await db.schema
    .createTable('usage_rollups')
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('level', 'int8', (column) => column.notNull())
    .addColumn('chunk', 'int8', (column) => column.notNull())
    .addColumn('series', 'int8', (column) => column.notNull())
    .addColumn('cells', 'bytea', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_rollups_place', ['organization', 'level', 'chunk', 'series'])
    .execute();
  await db.schema
    .createTable('usage_reversals')
    .addColumn('request', 'text', (column) => column.primaryKey())
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('status', 'int8', (column) => column.notNull())
    .addColumn('cost', 'int8', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('usage_reversals_organization')
    .on('usage_reversals')
    .column('organization')
    .execute();
}
