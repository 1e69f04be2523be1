/** The ledger by day: transfers folded into sums by day and kind. */
import type { Kysely } from 'kysely';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await db.schema
    .createTable('ledger_folds')
    .addColumn('organization', 'text', (column) => column.primaryKey())
    .addColumn('folded_seq', 'int8', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('ledger_days')
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('day', 'int8', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('transfers', 'int8', (column) => column.notNull())
    .addColumn('change_high', 'int8', (column) => column.notNull())
    .addColumn('change_low', 'int8', (column) => column.notNull())
    .addColumn('first_seq', 'int8', (column) => column.notNull())
    .addColumn('last_seq', 'int8', (column) => column.notNull())
    .addPrimaryKeyConstraint('ledger_days_place', ['organization', 'day', 'kind'])
    .execute();
}
