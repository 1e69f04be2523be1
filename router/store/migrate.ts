/** Brings a store's tables up to date, each time it is opened for writing. */
import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { up as foundation } from './migrations/0001-foundation.ts';
import { up as limits } from './migrations/0002-limits.ts';
import { up as controlPlane } from './migrations/0003-control-plane.ts';
import { up as rollups } from './migrations/0007-rollups.ts';
import type { Schema } from './schema.ts';

/** In order; a name, once released, never changes. */
const MIGRATIONS: Record<string, Migration> = {
  '0001-foundation': { up: foundation },
  '0002-limits': { up: limits },
  '0003-control-plane': { up: controlPlane },
  '0007-rollups': { up: rollups },
};

/** Throws when a migration fails, or when the store was written by a later version. */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
