/** The audit log's values before a change. Null: the change replaced none, or an earlier version made it. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('audit').addColumn('before', 'text').execute();
}
