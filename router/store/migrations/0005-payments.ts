/** Payments through a provider, refunds, auto-recharge, and the books of the built-in sandbox. */
import { type Kysely, sql } from 'kysely';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await payments(db);
  await refunds(db);
  await customers(db);
  await recharges(db);
  await sandbox(db);
}

async function payments(db: Db): Promise<void> {
  await db.schema
    .createTable('payments')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organization', 'text', (column) => column.notNull().references('organizations.id'))
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('amount', 'int8')
    .addColumn('keep_method', 'int8', (column) => column.notNull())
    .addColumn('customer', 'text')
    .addColumn('method', 'text')
    .addColumn('checkout', 'text')
    .addColumn('reference', 'text')
    .addColumn('paid', 'int8')
    .addColumn('refunded', 'int8', (column) => column.notNull().defaultTo(0))
    .addColumn('disputed', 'int8', (column) => column.notNull().defaultTo(0))
    .addColumn('reason', 'text')
    .addColumn('transfer', 'text')
    .addColumn('receipt', 'int8')
    .addColumn('person', 'text')
    .addColumn('idempotency_key', 'text')
    .addColumn('look_at', 'int8')
    .addColumn('created', 'int8', (column) => column.notNull())
    .addColumn('ended', 'int8')
    .addCheckConstraint('payments_purpose', sql`purpose in ('top-up', 'recharge', 'setup')`)
    .addCheckConstraint(
      'payments_state',
      sql`state in ('open', 'pending', 'succeeded', 'failed', 'expired')`,
    )
    .addCheckConstraint('payments_amount', sql`(amount is null) = (purpose = 'setup')`)
    .addUniqueConstraint('payments_reference', ['provider', 'reference'])
    .addUniqueConstraint('payments_receipt', ['organization', 'receipt'])
    .addUniqueConstraint('payments_idempotency_key', ['organization', 'idempotency_key'])
    .execute();
  await db.schema
    .createIndex('payments_organization')
    .on('payments')
    .columns(['organization', 'id'])
    .execute();
  await db.schema
    .createIndex('payments_look_at')
    .on('payments')
    .column('look_at')
    .where('look_at', 'is not', null)
    .execute();
}

async function refunds(db: Db): Promise<void> {
  await db.schema
    .createTable('refunds')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('payment', 'text', (column) => column.notNull().references('payments.id'))
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('amount', 'int8', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('taken_as', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('person', 'text')
    .addColumn('created', 'int8', (column) => column.notNull())
    .addColumn('ended', 'int8')
    .addCheckConstraint('refunds_state', sql`state in ('pending', 'succeeded', 'failed')`)
    .execute();
  await db.schema.createIndex('refunds_payment').on('refunds').column('payment').execute();
}

async function customers(db: Db): Promise<void> {
  await db.schema
    .createTable('payment_customers')
    .addColumn('organization', 'text', (column) => column.notNull().references('organizations.id'))
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('customer', 'text', (column) => column.notNull())
    .addColumn('method', 'text')
    .addColumn('method_label', 'text')
    .addPrimaryKeyConstraint('payment_customers_key', ['organization', 'provider'])
    .addUniqueConstraint('payment_customers_customer', ['provider', 'customer'])
    .execute();
}

async function recharges(db: Db): Promise<void> {
  await db.schema
    .createTable('recharges')
    .addColumn('organization', 'text', (column) =>
      column.primaryKey().references('organizations.id'),
    )
    .addColumn('enabled', 'int8', (column) => column.notNull())
    .addColumn('threshold', 'int8', (column) => column.notNull())
    .addColumn('amount', 'int8', (column) => column.notNull())
    .addColumn('monthly_cap', 'int8')
    .addColumn('payment', 'text')
    .addColumn('failures', 'int8', (column) => column.notNull().defaultTo(0))
    .addColumn('paused', 'int8')
    .addColumn('started', 'int8')
    .addColumn('waits_until', 'int8')
    .execute();
}

/** What a real provider keeps in its own systems. */
async function sandbox(db: Db): Promise<void> {
  await db.schema
    .createTable('sandbox_checkouts')
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('payment', 'text', (column) => column.notNull().unique())
    .addColumn('customer', 'text', (column) => column.notNull())
    .addColumn('amount', 'int8')
    .addColumn('keep_method', 'int8', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('card', 'text')
    .addColumn('declined', 'text')
    .addColumn('success_url', 'text', (column) => column.notNull())
    .addColumn('cancel_url', 'text', (column) => column.notNull())
    .addColumn('expires', 'int8', (column) => column.notNull())
    .addCheckConstraint('sandbox_checkouts_state', sql`state in ('open', 'paid')`)
    .execute();
  await db.schema
    .createTable('sandbox_methods')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('customer', 'text', (column) => column.notNull())
    .addColumn('card', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('sandbox_charges')
    .addColumn('payment', 'text', (column) => column.primaryKey())
    .addColumn('reference', 'text', (column) => column.notNull().unique())
    .addColumn('customer', 'text', (column) => column.notNull())
    .addColumn('method', 'text')
    .addColumn('card', 'text', (column) => column.notNull())
    .addColumn('amount', 'int8', (column) => column.notNull())
    .addColumn('declined', 'text')
    .execute();
  await db.schema
    .createTable('sandbox_refunds')
    .addColumn('refund', 'text', (column) => column.primaryKey())
    .addColumn('reference', 'text', (column) => column.notNull())
    .addColumn('amount', 'int8', (column) => column.notNull())
    .execute();
}
