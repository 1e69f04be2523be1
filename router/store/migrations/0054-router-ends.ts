/**
 * How the run of a router ended. A router of an earlier version, which may still run, does not write
 * this, neither of itself nor of one that it declares dead.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('router_runs').addColumn('ended', 'int8').execute();
  await db.schema.alterTable('router_runs').addColumn('ended_by', 'text').execute();
}
