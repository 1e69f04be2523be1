/** Migrates a store's tables, each time it is opened for writing. */
import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { StoreMismatched } from './errors.ts';
import { up as foundation } from './migrations/0001-foundation.ts';
import { up as limits } from './migrations/0002-limits.ts';
import { up as controlPlane } from './migrations/0003-control-plane.ts';
import { up as organizations } from './migrations/0004-organizations.ts';
import { up as payments } from './migrations/0005-payments.ts';
import { up as invoices } from './migrations/0006-invoices.ts';
import { up as rollups } from './migrations/0007-rollups.ts';
import { up as keys } from './migrations/0008-keys.ts';
import { up as recoveryCodes } from './migrations/0009-recovery-codes.ts';
import { up as incarnations } from './migrations/0010-incarnations.ts';
import { up as stretches } from './migrations/0011-stretches.ts';
import { up as asks } from './migrations/0012-asks.ts';
import { up as identity } from './migrations/0013-identity.ts';
import { up as routerVersions } from './migrations/0014-router-versions.ts';
import type { Schema } from './schema.ts';

/** In order. A released name never changes. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-foundation': { up: foundation },
  '0002-limits': { up: limits },
  '0003-control-plane': { up: controlPlane },
  '0004-organizations': { up: organizations },
  '0005-payments': { up: payments },
  '0006-invoices': { up: invoices },
  '0007-rollups': { up: rollups },
  '0008-keys': { up: keys },
  '0009-recovery-codes': { up: recoveryCodes },
  '0010-incarnations': { up: incarnations },
  '0011-stretches': { up: stretches },
  '0012-asks': { up: asks },
  '0013-identity': { up: identity },
  '0014-router-versions': { up: routerVersions },
};

/**
 * Throws when a migration fails, and StoreMismatched when the store was written by a later version.
 */
export async function migrate(
  db: Kysely<Schema>,
  migrations: Readonly<Record<string, Migration>> = MIGRATIONS,
): Promise<void> {
  refuseLater(await appliedTo(db), migrations);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/**
 * For readers, which change nothing: throws StoreMismatched unless the tables are of this version.
 */
export async function checkTables(db: Kysely<Schema>): Promise<void> {
  const { applied, missing } = await migrationsOf(db);
  refuseLater(applied, MIGRATIONS);
  if (missing.length === 0) return;
  throw new StoreMismatched(
    `the store was written by an earlier version of Penstock and lacks ${missing.join(', ')}: ` +
      'start a router of this version on it first, which brings it up to date',
  );
}

function refuseLater(applied: readonly string[], known: Readonly<Record<string, Migration>>): void {
  const unknown = applied.filter((name) => !(name in known));
  if (unknown.length === 0) return;
  throw new StoreMismatched(
    `the store was written by a later version of Penstock, and this one does not know ${unknown.join(', ')}: ` +
      'run that version or one after it',
  );
}

/**
 * The migrations that a store has, in their order. `missing`: those of this version that it lacks.
 * `unknown`: those of a later version.
 */
export type MigrationState = Readonly<Record<'applied' | 'missing' | 'unknown', readonly string[]>>;

/** Compares a store with this version. */
export async function migrationsOf(db: Kysely<Schema>): Promise<MigrationState> {
  const applied = await appliedTo(db);
  return {
    applied,
    missing: Object.keys(MIGRATIONS).filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !(name in MIGRATIONS)),
  };
}

async function appliedTo(db: Kysely<Schema>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return [];
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}
