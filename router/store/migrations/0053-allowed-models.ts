/**
 * The models that a key may call (decision 0050). Null: all. Routers of an earlier version neither
 * read nor write this column.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // No CHECK: a table that older routers write gets no new rule.
  await db.schema.alterTable('keys').addColumn('allowed_models', 'text').execute();
}
