/** Whether a later version of Penstock has migrated the store of a router that runs. */
import { migrationsOf } from './migrate.ts';
import { readProcedure } from './procedure.ts';

/** Returns that version, or null if there are no tables of a later one. */
export const readLaterVersion = readProcedure<null, string | null>(
  'readLaterVersion',
  async (db) => {
    const { unknown, version } = await migrationsOf(db);
    return unknown.length === 0 ? null : version;
  },
);
