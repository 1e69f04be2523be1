/**
 * When a key was revoked, and the member who did it. Null: it is not revoked, or was revoked before
 * this was recorded; without a member, a management token or an operator did it.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('keys').addColumn('revoked', 'bigint').execute();
  await db.schema.alterTable('keys').addColumn('revoked_by', 'text').execute();
}
