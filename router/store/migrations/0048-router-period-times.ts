/** The time in which the sums of each five minutes of a router came about. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('router_periods').addColumn('covers_ms', 'int8').execute();
}
