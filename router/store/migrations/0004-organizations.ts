/** What an organization sets for itself, who opened it, and what is kept of usage rows that are kept no longer. */
import { type Kysely, sql } from 'kysely';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  const organizations = () => db.schema.alterTable('organizations');
  await organizations().addColumn('founder', 'text').execute();
  await organizations()
    .addColumn('low_balance_threshold', 'int8', (column) =>
      column.check(sql`low_balance_threshold >= 0`),
    )
    .execute();
  await organizations().addColumn('low_balance_noted', 'int8').execute();
  await db.schema
    .createIndex('organizations_founder')
    .on('organizations')
    .column('founder')
    .execute();
  // What one person has done is looked for by people, and when that person is erased.
  await db.schema.createIndex('audit_actor').on('audit').columns(['actor', 'id']).execute();
  // Letters name people: they are looked for when a person is erased.
  await db.schema.createIndex('jobs_subject').on('jobs').column('subject').execute();
  await forgottenUsage(db);
}

async function forgottenUsage(db: Db): Promise<void> {
  await db.schema
    .createTable('forgotten_usage')
    .addColumn('organization', 'text', (column) => column.primaryKey())
    .addColumn('seq', 'int8', (column) => column.notNull())
    .addColumn('until', 'int8', (column) => column.notNull())
    .addColumn('transfer_seq', 'int8', (column) => column.notNull())
    .addColumn('charges', 'int8', (column) => column.notNull())
    .addColumn('charged_high', 'int8', (column) => column.notNull())
    .addColumn('charged_low', 'int8', (column) => column.notNull())
    .addColumn('reversals', 'int8', (column) => column.notNull())
    .addColumn('reversed_high', 'int8', (column) => column.notNull())
    .addColumn('reversed_low', 'int8', (column) => column.notNull())
    .execute();
}
