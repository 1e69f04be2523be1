/** Indexes for lists of money: transfers other than charges of requests, and all invoices. */
import { type Kysely, sql } from 'kysely';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  // Charges are left out, so that a settlement does not write the index.
  await db.schema
    .createIndex('transfers_kind')
    .on('transfers')
    .columns(['organization', 'kind', 'seq'])
    .where(sql.ref('kind'), '<>', sql.lit('usage'))
    .execute();
  const invoices = (name: string) => db.schema.createIndex(`invoices_${name}`).on('invoices');
  await invoices('status').columns(['status', 'number']).execute();
  await invoices('month_number').columns(['month', 'number']).execute();
  await invoices('amount_due').columns(['amount_due', 'number']).execute();
  await invoices('due_date').columns(['due', 'number']).execute();
}
