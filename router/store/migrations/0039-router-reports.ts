/**
 * What each router reports of itself every ten seconds, beside its traffic. Null: a router of an
 * earlier version, or none yet.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('incarnations').addColumn('host', 'text').execute();
  for (const column of ['pid', 'memory_bytes', 'loop_permille', 'store_ms', 'agents', 'draining']) {
    await db.schema.alterTable('incarnations').addColumn(column, 'int8').execute();
  }
}
