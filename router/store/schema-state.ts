/**
 * What a store tells versions of Penstock that are older than its tables: which version has migrated
 * it, and whether they can still run on it.
 */
import type { Kysely } from 'kysely';
import { BUILD } from '../../shared/build.ts';
import type { Schema } from './schema.ts';

/** The migration that creates the table. Each version that knows it can read the state. */
export const STATE_MIGRATION = '0014-schema-state';

const ONLY = 1n;

/**
 * `version`: the latest version of Penstock that has migrated the store. `needs`: the migration that
 * a version must know to run on the tables as they are.
 */
export type SchemaState = Readonly<{ version: string; needs: string }>;

/**
 * Records within a migration that this version has applied it. `excludesOlder`: versions that do not
 * know it cannot run on the tables after it.
 */
export async function recordMigration(
  db: Kysely<Schema>,
  name: string,
  excludesOlder: boolean,
): Promise<void> {
  const { version } = BUILD;
  await db
    .insertInto('schema_state')
    .values({ only: ONLY, version, needs: name })
    .onConflict((conflict) =>
      conflict.column('only').doUpdateSet(excludesOlder ? { version, needs: name } : { version }),
    )
    .execute();
}

/** Returns null if the store is older than the table. */
export async function readSchemaState(
  db: Kysely<Schema>,
  applied: readonly string[],
): Promise<SchemaState | null> {
  if (!applied.includes(STATE_MIGRATION)) return null;
  const row = await db.selectFrom('schema_state').select(['version', 'needs']).executeTakeFirst();
  return row ?? null;
}
