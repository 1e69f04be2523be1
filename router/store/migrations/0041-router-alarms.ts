/**
 * What each router sees that may need an operator, as JSON, so that whichever router answers can
 * tell the alarms of all. Null: a router of an earlier version, or no report yet.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('incarnations').addColumn('noticed', 'text').execute();
}
