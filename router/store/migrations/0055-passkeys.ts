/**
 * Passkeys, and the challenges that were used to add one or to sign in with one. A router of an
 * earlier version, which may still run, knows neither: it lets nobody in with a passkey.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('passkeys')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('person', 'text', (column) => column.notNull().references('people.id'))
    .addColumn('credential', 'text', (column) => column.notNull().unique())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('counter', 'int8', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created', 'int8', (column) => column.notNull())
    .addColumn('last_used', 'int8')
    .execute();
  await db.schema.createIndex('passkeys_person').on('passkeys').column('person').execute();
  await db.schema
    .createTable('used_challenges')
    .addColumn('challenge', 'text', (column) => column.primaryKey().notNull())
    .addColumn('expires', 'int8', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('used_challenges_expires')
    .on('used_challenges')
    .column('expires')
    .execute();
}
