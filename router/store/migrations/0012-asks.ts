/**
 * How often a payment provider was asked about a payment or a refund, and when to ask next; who had
 * the welcome credit, and who may still get it; the answers to mutations that move money, by
 * Idempotency-Key.
 */
import { type Kysely, sql } from 'kysely';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await asks(db);
  await welcomes(db);
  await idempotency(db);
}

async function asks(db: Db): Promise<void> {
  for (const [table, column] of [
    ['payments', 'charge_asked'],
    ['refunds', 'asked'],
    ['refunds', 'look_at'],
  ] as const) {
    await db.schema.alterTable(table).addColumn(column, 'int8').execute();
  }
  for (const table of ['payments', 'refunds'] as const) {
    await db.schema
      .alterTable(table)
      .addColumn('asks', 'int8', (column) => column.notNull().defaultTo(0))
      .execute();
  }
  // It is unknown whether the provider was asked for those in progress: assume that it was.
  await sql`update refunds set look_at = created, asked = created, asks = 1 where state = 'pending'`.execute(
    db,
  );
  await sql`update payments set charge_asked = created, asks = 1
    where purpose = 'recharge' and state = 'open'`.execute(db);
  await db.schema
    .createIndex('refunds_look_at')
    .on('refunds')
    .column('look_at')
    .where('look_at', 'is not', null)
    .execute();
}

async function welcomes(db: Db): Promise<void> {
  await db.schema
    .createTable('welcomes')
    .addColumn('address', 'text', (column) => column.primaryKey())
    .addColumn('created', 'int8', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('welcome_claims')
    .addColumn('person', 'text', (column) => column.primaryKey().references('people.id'))
    .addColumn('organization', 'text', (column) => column.notNull().references('organizations.id'))
    .addColumn('network', 'text', (column) => column.notNull())
    .addColumn('created', 'int8', (column) => column.notNull())
    .execute();
}

async function idempotency(db: Db): Promise<void> {
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('request', 'text', (column) => column.notNull())
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('created', 'int8', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('idempotency_keys_created')
    .on('idempotency_keys')
    .column('created')
    .execute();
}
