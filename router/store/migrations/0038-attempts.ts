/**
 * The last attempts of jobs and of deliveries, for the operators' page of a job. Null: none has
 * ended since this migration. `leased_at`: when the attempt that is running has begun.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('leased_at', 'int8').execute();
  await db.schema.alterTable('jobs').addColumn('attempt_log', 'text').execute();
  await db.schema.alterTable('webhook_deliveries').addColumn('attempt_log', 'text').execute();
}
