/**
 * When a request reached its stages, how long it waited, and the attempts at it that failed (decision
 * 0040). Routers of an earlier version write none of these columns; null says that nothing is known.
 */
import type { Kysely } from 'kysely';

const TIMES = ['body_ms', 'admitted_ms', 'waited_ms', 'picked_ms'] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  // No CHECK: a table that older routers write gets no new rule.
  for (const name of TIMES) await db.schema.alterTable('usage').addColumn(name, 'int8').execute();
  await db.schema.alterTable('usage').addColumn('failed_attempts', 'text').execute();
}
