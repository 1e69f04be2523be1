/**
 * What each request asked for: the endpoint, whether its answer was streamed, and its limit of
 * completion tokens. Routers of an earlier version write none of these columns.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // No CHECK: a table that older routers write gets no new rule.
  await db.schema.alterTable('usage').addColumn('endpoint', 'text').execute();
  await db.schema.alterTable('usage').addColumn('streamed', 'int8').execute();
  await db.schema.alterTable('usage').addColumn('max_tokens', 'int8').execute();
}
