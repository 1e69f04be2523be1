/**
 * An index of the requests that were refused with a status of 5xx, for the operators' list of failed
 * requests. Routers of an earlier version, which may still run, need not know it.
 */
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  // On PostgreSQL it is built after the migrations, beside running routers (large-indexes.ts).
  if (isPostgres(db)) return;
  await db.schema
    .createIndex('refusals_failed')
    .on('refusals')
    .column('request')
    .where(sql.ref('status'), '>=', sql.lit(500))
    .execute();
}
