/**
 * How the process of each router was in each five minutes, and the distribution of its times to first
 * token. Null: a router of an earlier version, or not known.
 */
import type { Kysely } from 'kysely';

const HIGHEST = ['memory_bytes', 'loop_delay_ms', 'running'] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const figure of HIGHEST) {
    await db.schema.alterTable('router_periods').addColumn(figure, 'int8').execute();
  }
  await db.schema.alterTable('router_periods').addColumn('first_token_times', 'bytea').execute();
}
