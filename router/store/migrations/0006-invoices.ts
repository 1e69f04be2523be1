/** Monthly invoices of organizations that do not prepay, and how far each has been invoiced. */
import { type Kysely, sql } from 'kysely';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await db.schema
    .createTable('invoicing')
    .addColumn('organization', 'text', (column) =>
      column.primaryKey().references('organizations.id'),
    )
    .addColumn('terms_days', 'int8', (column) => column.notNull())
    .addColumn('seq', 'int8', (column) => column.notNull())
    .addColumn('balance', 'int8', (column) => column.notNull())
    .addColumn('month', 'int8')
    .addCheckConstraint('invoicing_terms', sql`terms_days between 0 and 365`)
    .execute();
  // What these organizations owe already is brought forward to their first invoice.
  await sql`
    insert into invoicing (organization, terms_days, seq, balance, month)
    select o.id, 30, a.transfer_seq, a.balance, null
    from organizations o join accounts a on a.id = o.id where o.billing = 'invoiced'`.execute(db);
  await invoices(db);
}

async function invoices(db: Db): Promise<void> {
  await db.schema
    .createTable('invoices')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('number', 'int8', (column) => column.notNull().unique())
    .addColumn('organization', 'text', (column) => column.notNull().references('organizations.id'))
    .addColumn('billed_to', 'text', (column) => column.notNull())
    .addColumn('month', 'int8', (column) => column.notNull())
    .addColumn('from_seq', 'int8', (column) => column.notNull())
    .addColumn('to_seq', 'int8', (column) => column.notNull())
    .addColumn('total', 'int8', (column) => column.notNull())
    .addColumn('brought_forward', 'int8', (column) => column.notNull())
    .addColumn('amount_due', 'int8', (column) => column.notNull())
    .addColumn('terms_days', 'int8', (column) => column.notNull())
    .addColumn('due', 'int8', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('reference', 'text')
    .addColumn('transfer', 'text')
    .addColumn('created', 'int8', (column) => column.notNull())
    .addColumn('ended', 'int8')
    .addUniqueConstraint('invoices_month', ['organization', 'month'])
    .addUniqueConstraint('invoices_from', ['organization', 'from_seq'])
    .addCheckConstraint('invoices_status', sql`status in ('open', 'paid', 'void')`)
    .addCheckConstraint('invoices_span', sql`from_seq > 0 and to_seq >= from_seq`)
    .addCheckConstraint('invoices_due', sql`amount_due >= 0`)
    .execute();
  await db.schema
    .createTable('invoice_lines')
    .addColumn('invoice', 'text', (column) => column.notNull().references('invoices.id'))
    .addColumn('position', 'int8', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('model', 'text')
    .addColumn('price', 'text')
    .addColumn('count', 'int8', (column) => column.notNull())
    .addColumn('prompt_tokens', 'int8', (column) => column.notNull())
    .addColumn('cached_tokens', 'int8', (column) => column.notNull())
    .addColumn('completion_tokens', 'int8', (column) => column.notNull())
    .addColumn('amount', 'int8', (column) => column.notNull())
    .addPrimaryKeyConstraint('invoice_lines_key', ['invoice', 'position'])
    .execute();
}
