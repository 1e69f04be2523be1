/** The budgets of organizations for a calendar month, and which threshold they were last told of. */
import { type Kysely, sql } from 'kysely';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await db.schema
    .createTable('budgets')
    .addColumn('organization', 'text', (column) =>
      column.primaryKey().references('organizations.id'),
    )
    .addColumn('amount', 'int8', (column) => column.notNull().check(sql`amount > 0`))
    .addColumn('noted_month', 'int8')
    .addColumn('noted_percent', 'int8')
    .execute();
}
