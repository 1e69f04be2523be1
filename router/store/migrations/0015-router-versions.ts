/** The version of Penstock that each router runs. Null: a router of version 0.1.0. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('incarnations').addColumn('version', 'text').execute();
}
