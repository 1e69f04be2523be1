/**
 * Over which transfers an organization was invoiced, so that its invoices can be proven complete.
 * An organization that prepays again gets a last invoice in the middle of a month, so a month may
 * have two.
 */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await changeInvoices(db);
  await db.schema.alterTable('invoicing').addColumn('billed_to', 'text').execute();
  await db.schema
    .createTable('invoicing_stretches')
    .addColumn('organization', 'text', (column) => column.notNull().references('organizations.id'))
    .addColumn('from_seq', 'int8', (column) => column.notNull())
    .addColumn('to_seq', 'int8')
    .addPrimaryKeyConstraint('invoicing_stretches_key', ['organization', 'from_seq'])
    .addCheckConstraint('invoicing_stretches_span', sql`from_seq > 0 and to_seq >= from_seq`)
    .execute();
  await findStretches(db);
}

async function changeInvoices(db: Db): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    await db.schema.alterTable('invoices').dropConstraint('invoices_month').execute();
    await db.schema.alterTable('invoices').addColumn('void_after', 'int8').execute();
  } else {
    await rebuildInvoices(db);
  }
  // As far as times show: the invoices that had been issued when this one was made void.
  await sql`
    update invoices set void_after = (
      select max(o.number) from invoices o
      where o.organization = invoices.organization and o.created <= invoices.ended)
    where status = 'void'`.execute(db);
}

/** SQLite cannot drop a constraint, so the table and the one that refers to it are rebuilt. */
async function rebuildInvoices(db: Db): Promise<void> {
  await db.schema
    .createTable('new_invoices')
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
    .addColumn('void_after', 'int8')
    .addUniqueConstraint('invoices_from', ['organization', 'from_seq'])
    .addCheckConstraint('invoices_status', sql`status in ('open', 'paid', 'void')`)
    .addCheckConstraint('invoices_span', sql`from_seq > 0 and to_seq >= from_seq`)
    .addCheckConstraint('invoices_due', sql`amount_due >= 0`)
    .execute();
  await db.schema
    .createTable('new_invoice_lines')
    .addColumn('invoice', 'text', (column) => column.notNull().references('new_invoices.id'))
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
  await sql`insert into new_invoices (${INVOICE_COLUMNS})
    select ${INVOICE_COLUMNS} from invoices`.execute(db);
  await sql`insert into new_invoice_lines (${LINE_COLUMNS})
    select ${LINE_COLUMNS} from invoice_lines`.execute(db);
  // The referring table is dropped first; renaming a table also updates references to it.
  await db.schema.dropTable('invoice_lines').execute();
  await db.schema.dropTable('invoices').execute();
  await db.schema.alterTable('new_invoices').renameTo('invoices').execute();
  await db.schema.alterTable('new_invoice_lines').renameTo('invoice_lines').execute();
}

const INVOICE_COLUMNS =
  sql.raw(`id, number, organization, billed_to, month, from_seq, to_seq, total,
  brought_forward, amount_due, terms_days, due, status, reference, transfer, created, ended`);
const LINE_COLUMNS = sql.raw(`invoice, position, kind, model, price, count, prompt_tokens,
  cached_tokens, completion_tokens, amount`);

/** As far as invoices show: those whose transfers follow one another form one stretch. */
async function findStretches(db: Db): Promise<void> {
  await sql`
    insert into invoicing_stretches (organization, from_seq, to_seq)
    select organization, min(from_seq), max(to_seq) from (
      select organization, from_seq, to_seq,
        sum(starts) over (partition by organization order by from_seq) as stretch
      from (
        select organization, from_seq, to_seq, case when from_seq =
          1 + lag(to_seq) over (partition by organization order by from_seq)
          then 0 else 1 end as starts
        from invoices) marked) numbered
    group by organization, stretch`.execute(db);
  await sql`
    update invoicing_stretches set to_seq = null where exists (
      select 1 from invoicing i join organizations o on o.id = i.organization
      where i.organization = invoicing_stretches.organization
        and i.seq = invoicing_stretches.to_seq and o.billing = 'invoiced')`.execute(db);
  await sql`
    insert into invoicing_stretches (organization, from_seq, to_seq)
    select i.organization, i.seq + 1, null
    from invoicing i join organizations o on o.id = i.organization
    where o.billing = 'invoiced' and not exists (
      select 1 from invoicing_stretches s
      where s.organization = i.organization and s.to_seq is null)`.execute(db);
}
