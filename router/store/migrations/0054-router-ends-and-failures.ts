/**
 * How the run of a router ended, and an index of the requests that were refused with a status of 5xx,
 * for the operators' list of failed requests. A router of an earlier version, which may still run,
 * does not write how a run ended, neither of itself nor of one that it declares dead.
 */
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('router_runs').addColumn('ended', 'int8').execute();
  await db.schema.alterTable('router_runs').addColumn('ended_by', 'text').execute();
  // On PostgreSQL it is built after the migrations, beside running routers (large-indexes.ts).
  if (isPostgres(db)) return;
  await db.schema
    .createIndex('refusals_failed')
    .on('refusals')
    .column('request')
    .where(sql.ref('status'), '>=', sql.lit(500))
    .execute();
}
