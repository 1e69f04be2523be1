/** Brings a store's tables up to date, each time it is opened for writing. */
import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { up as foundation } from './migrations/0001-foundation.ts';
import { up as limits } from './migrations/0002-limits.ts';
import { up as controlPlane } from './migrations/0003-control-plane.ts';
import { up as organizations } from './migrations/0004-organizations.ts';
import { up as payments } from './migrations/0005-payments.ts';
import { up as invoices } from './migrations/0006-invoices.ts';
import { up as rollups } from './migrations/0007-rollups.ts';
import { up as keys } from './migrations/0008-keys.ts';
import { up as recoveryCodes } from './migrations/0009-recovery-codes.ts';
import { up as asks } from './migrations/0012-asks.ts';
import type { Schema } from './schema.ts';

/** In order; a name, once released, never changes. */
const MIGRATIONS: Record<string, Migration> = {
  '0001-foundation': { up: foundation },
  '0002-limits': { up: limits },
  '0003-control-plane': { up: controlPlane },
  '0004-organizations': { up: organizations },
  '0005-payments': { up: payments },
  '0006-invoices': { up: invoices },
  '0007-rollups': { up: rollups },
  '0008-keys': { up: keys },
  '0009-recovery-codes': { up: recoveryCodes },
  '0012-asks': { up: asks },
};

/** Throws when a migration fails, or when the store was written by a later version. */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
