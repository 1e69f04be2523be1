/**
 * Why an operator suspended an organization or locked an account. It is a column of its own, so that
 * nothing that customers see or export has it. Null: no reason was given.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('audit').addColumn('reason', 'text').execute();
}
