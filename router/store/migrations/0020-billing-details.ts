/**
 * The buyer's details, which an organization sets, and the numbers and the two parties of receipts
 * and invoices, which are kept as they were when each was issued.
 */
import type { Kysely } from 'kysely';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await db.schema
    .createTable('billing_details')
    .addColumn('organization', 'text', (column) =>
      column.primaryKey().references('organizations.id'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('tax_id', 'text', (column) => column.notNull())
    .execute();
  for (const table of ['payments', 'invoices']) {
    await db.schema.alterTable(table).addColumn('seller', 'text').execute();
    await db.schema.alterTable(table).addColumn('buyer', 'text').execute();
  }
  await db.schema.alterTable('payments').addColumn('receipt_series', 'text').execute();
  await db.schema.alterTable('payments').addColumn('receipt_number', 'int8').execute();
  // Not unique, because a new rule could refuse what an older router writes.
  await db.schema
    .createIndex('payments_receipt_number')
    .on('payments')
    .columns(['receipt_series', 'receipt_number'])
    .execute();
}
