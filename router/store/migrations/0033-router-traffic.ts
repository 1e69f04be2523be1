/**
 * What each router has served in the last minute. Null: a router of an earlier version, or none
 * yet.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['recent_requests', 'recent_errors', 'recent_at']) {
    await db.schema.alterTable('incarnations').addColumn(column, 'int8').execute();
  }
}
