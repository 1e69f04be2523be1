/**
 * Limits of organizations and keys, agreed prices, payment events, and jobs. SQLite adds one column
 * per statement.
 */
import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await addColumns(db);
  await meters(db);
  await rates(db);
  await moneyWork(db);
  await leaveRoom(db);
  await countOpenHolds(db);
}

const LIMITS = ['requests_per_minute', 'tokens_per_minute', 'concurrent_requests'] as const;

async function addColumns(db: Db): Promise<void> {
  const add = (
    table: string,
    column: string,
    build: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder,
  ) => db.schema.alterTable(table).addColumn(column, 'int8', build).execute();

  await add('accounts', 'open', (column) => column.notNull().defaultTo(0).check(sql`open >= 0`));
  await add('holds', 'tokens', (column) => column.notNull().defaultTo(0).check(sql`tokens >= 0`));
  for (const table of ['organizations', 'keys']) {
    for (const limit of LIMITS) await add(table, limit, (column) => column.check(above0(limit)));
  }
  await add('organizations', 'credit_limit', (column) =>
    column.notNull().defaultTo(0).check(sql`credit_limit >= 0`),
  );
  await add('keys', 'monthly_cap', (column) => column.check(sql`monthly_cap >= 0`));
}

function above0(column: string) {
  return sql`${sql.ref(column)} > 0`;
}

async function meters(db: Db): Promise<void> {
  await db.schema
    .createTable('meters')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('month', 'int8', (column) => column.notNull())
    .addColumn('spent', 'int8', (column) => column.notNull())
    .addColumn('held', 'int8', (column) => column.notNull())
    .addColumn('open', 'int8', (column) => column.notNull())
    .addCheckConstraint('meters_held', sql`held >= 0 and open >= 0`)
    .execute();
  await db.schema
    .createTable('windows')
    .addColumn('subject', 'text', (column) => column.primaryKey())
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('counts', 'text', (column) => column.notNull())
    .addColumn('slot', 'int8', (column) => column.notNull())
    .execute();
}

async function rates(db: Db): Promise<void> {
  await db.schema
    .createTable('rates')
    .addColumn('organization', 'text', (column) => column.notNull().references('organizations.id'))
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('price', 'text', (column) => column.notNull().references('prices.id'))
    .addColumn('created', 'int8', (column) => column.notNull())
    .addPrimaryKeyConstraint('rates_key', ['organization', 'model'])
    .execute();
}

async function moneyWork(db: Db): Promise<void> {
  await db.schema
    .createTable('jobs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('idempotency_key', 'text', (column) => column.notNull().unique())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'int8', (column) => column.notNull())
    .addColumn('run_at', 'int8', (column) => column.notNull())
    .addColumn('leased_by', 'text')
    .addColumn('last_error', 'text')
    .addColumn('created', 'int8', (column) => column.notNull())
    .addColumn('ended', 'int8')
    .addCheckConstraint('jobs_state', sql`state in ('waiting', 'running', 'done', 'failed')`)
    .addCheckConstraint('jobs_lease', sql`(state = 'running') = (leased_by is not null)`)
    .execute();
  await db.schema.createIndex('jobs_due').on('jobs').columns(['state', 'run_at']).execute();
  await db.schema
    .createTable('payment_events')
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('transfer', 'text')
    .addColumn('created', 'int8', (column) => column.notNull())
    .addPrimaryKeyConstraint('payment_events_key', ['provider', 'event'])
    .execute();
}

/** A store in use may have open holds. Their meters get month 0, so that nothing is spent yet. */
async function countOpenHolds(db: Db): Promise<void> {
  await sql`update accounts set open =
    (select count(*) from holds where holds.organization = accounts.id)`.execute(db);
  await sql`insert into meters (key, organization, month, spent, held, open)
    select key, min(organization), 0, 0, cast(sum(amount) as int8), count(*)
    from holds group by key`.execute(db);
}

/**
 * PostgreSQL writes a changed row anew. If its page has room, the new version stands beside the old
 * one, and no index is touched.
 */
async function leaveRoom(db: Db): Promise<void> {
  if (!isPostgres(db)) return;
  const fill = { accounts: 50, holds: 70, meters: 50, windows: 50 } as const;
  for (const [table, percent] of Object.entries(fill)) {
    await sql`alter table ${sql.table(table)} set (fillfactor = ${sql.lit(percent)})`.execute(db);
  }
}
