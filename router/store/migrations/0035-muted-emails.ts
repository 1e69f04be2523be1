/** The kinds of emails that a person has switched off, with commas between them. Null: none. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('people').addColumn('muted_emails', 'text').execute();
}
