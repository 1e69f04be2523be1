/**
 * On SQLite, holds are kept in the order of their requests, in one tree instead of three: each request
 * adds a hold and deletes it, and every tree is a page more in the commit. There are few holds, so the
 * rare queries by incarnation read them all. Tables of PostgreSQL have no such order, and it updates
 * the index there beside other work.
 */
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

const COLUMNS = sql.raw(
  'request, organization, key, price, incarnation, amount, slice, created, tokens, member',
);

export async function up(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) return;
  await db.schema
    .createTable('new_holds')
    .addColumn('request', 'text', (column) => column.primaryKey())
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('price', 'text', (column) => column.notNull())
    .addColumn('incarnation', 'text', (column) => column.notNull())
    .addColumn('amount', 'int8', (column) => column.notNull())
    .addColumn('slice', 'int8', (column) => column.notNull())
    .addColumn('created', 'int8', (column) => column.notNull())
    .addColumn('tokens', 'int8', (column) => column.notNull().defaultTo(0).check(sql`tokens >= 0`))
    .addColumn('member', 'text')
    .addCheckConstraint('holds_amount', sql`amount >= 0 and slice >= 0`)
    .modifyEnd(sql`without rowid`)
    .execute();
  await sql`insert into new_holds (${COLUMNS}) select ${COLUMNS} from holds order by request`.execute(
    db,
  );
  await db.schema.dropTable('holds').execute();
  await db.schema.alterTable('new_holds').renameTo('holds').execute();
  // Only the holds of members with a cap are in the index.
  await db.schema
    .createIndex('holds_member')
    .on('holds')
    .column('member')
    .where(sql.ref('member'), 'is not', null)
    .execute();
}
