/** An organization's founder and its own settings, and what is kept of deleted usage rows. */
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
  // The audit log is searched by actor: by people, and when a person is erased.
  await db.schema.createIndex('audit_actor').on('audit').columns(['actor', 'id']).execute();
  // Jobs for emails name a person: they are searched when that person is erased.
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
