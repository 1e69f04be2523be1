/** The requests of all organizations that failed, for the operators' list of them. */
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  // On PostgreSQL it is built after the migrations, beside running routers (large-indexes.ts).
  if (isPostgres(db)) return;
  await db.schema
    .createIndex('usage_failed')
    .on('usage')
    .column('request')
    .where(sql.ref('status'), '>=', sql.lit(500))
    .execute();
}
