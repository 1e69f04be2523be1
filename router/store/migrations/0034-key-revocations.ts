/**
 * When a key was revoked or deleted, and the member who did it. Both are null for a key that is
 * active, or ended before Penstock recorded this. The member alone is null when a management token,
 * an operator, or the first proof of the address of an account ended it.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('keys').addColumn('revoked', 'int8').execute();
  await db.schema.alterTable('keys').addColumn('revoked_by', 'text').execute();
}
