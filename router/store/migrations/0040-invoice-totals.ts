/** Indexes from which the totals of all invoices are read: open, overdue, and paid since a time. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const index = (name: string) => db.schema.createIndex(`invoices_status_${name}`).on('invoices');
  await index('due').columns(['status', 'due', 'amount_due']).execute();
  await index('ended').columns(['status', 'ended', 'amount_due']).execute();
}
