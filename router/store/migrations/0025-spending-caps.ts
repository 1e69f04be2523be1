/**
 * Daily caps of keys, and caps of what the keys of a member spend together (decision 0036). Routers
 * of an earlier version write none of these columns; their defaults are right for such rows.
 */
import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  const add = (
    table: string,
    name: string,
    build: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder = (column) => column,
  ) => db.schema.alterTable(table).addColumn(name, 'int8', build).execute();

  // No CHECK: a table that older routers write gets no new rule.
  await add('keys', 'daily_cap');
  await add('meters', 'day_from', (column) => column.notNull().defaultTo(0));
  await add('meters', 'before_day', (column) => column.notNull().defaultTo(0));
  await add('accounts', 'capped_members', (column) => column.notNull().defaultTo(0));
  await db.schema.alterTable('holds').addColumn('member', 'text').execute();
  // Only the holds of members with a cap are in the index.
  await db.schema
    .createIndex('holds_member')
    .on('holds')
    .column('member')
    .where(sql.ref('member'), 'is not', null)
    .execute();
  await memberCaps(db);
}

async function memberCaps(db: Db): Promise<void> {
  await db.schema
    .createTable('member_caps')
    .addColumn('member', 'text', (column) => column.primaryKey().references('members.id'))
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('monthly_cap', 'int8', (column) => column.check(sql`monthly_cap >= 0`))
    .addColumn('daily_cap', 'int8', (column) => column.check(sql`daily_cap >= 0`))
    .addColumn('month', 'int8', (column) => column.notNull())
    .addColumn('spent', 'int8', (column) => column.notNull())
    .addColumn('day_from', 'int8', (column) => column.notNull())
    .addColumn('before_day', 'int8', (column) => column.notNull())
    .execute();
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`alter table member_caps set (fillfactor = 50)`.execute(db);
  }
}
