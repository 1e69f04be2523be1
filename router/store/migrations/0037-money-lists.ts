/** Indexes for lists of money: transfers other than charges of requests, and all invoices. */
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  // On PostgreSQL it is built after the migrations, beside running routers (large-indexes.ts).
  if (!isPostgres(db)) await indexTransfers(db);
  const invoices = (name: string) => db.schema.createIndex(`invoices_${name}`).on('invoices');
  await invoices('status').columns(['status', 'number']).execute();
  await invoices('month_number').columns(['month', 'number']).execute();
  await invoices('amount_due').columns(['amount_due', 'number']).execute();
  await invoices('due_date').columns(['due', 'number']).execute();
}

/** Charges are left out, so that a settlement does not write the index. */
async function indexTransfers(db: Db): Promise<void> {
  await db.schema
    .createIndex('transfers_kind')
    .on('transfers')
    .columns(['organization', 'kind', 'seq'])
    .where(sql.ref('kind'), '<>', sql.lit('usage'))
    .execute();
}
