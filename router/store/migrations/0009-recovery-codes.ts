/** Recovery codes, with which a person who lost their authenticator signs in, each once. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('recovery_codes')
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('person', 'text', (column) => column.notNull().references('people.id'))
    .addColumn('used', 'int8')
    .execute();
  await db.schema
    .createIndex('recovery_codes_person')
    .on('recovery_codes')
    .column('person')
    .execute();
}
