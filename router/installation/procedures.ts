/** The settings of the fleet in the store, and whether anything depends on its secrets already. */
import { type Db, readProcedure, writeProcedure } from '../store/procedure.ts';
import { differences, type FleetSetting } from './settings.ts';

export type Claimed = Readonly<{
  /** One line for each setting that differs from the fleet's; if any, nothing was written. */
  differences: readonly string[];
  /** The settings in force for the fleet. */
  fleet: readonly FleetSetting[];
}>;

/** Checks a router's settings against the fleet's, and stores those that the fleet has not yet. */
export const claimFleet = writeProcedure<Readonly<{ own: readonly FleetSetting[] }>, Claimed>(
  'claimFleet',
  async (db, { own }) => {
    const fleet = await readSettings(db);
    const found = differences(own, fleet);
    if (found.length > 0) return { differences: found, fleet };
    const known = new Set(fleet.map(({ name }) => name));
    const added = own.filter(({ name }) => !known.has(name));
    if (added.length > 0) await db.insertInto('fleet_settings').values(added).execute();
    return { differences: [], fleet: [...fleet, ...added] };
  },
);

/** Replaces the fleet's settings; routers with others are refused at their next start. */
export const acceptFleet = writeProcedure<Readonly<{ own: readonly FleetSetting[] }>, null>(
  'acceptFleet',
  async (db, { own }) => {
    await db.deleteFrom('fleet_settings').execute();
    await db.insertInto('fleet_settings').values(own).execute();
    return null;
  },
);

export const readFleet = readProcedure<null, readonly FleetSetting[]>('readFleet', readSettings);

/** Whether the store is in use, so that it needs the secrets it was made with. */
export const needsSecrets = readProcedure<null, boolean>('needsSecrets', async (db) => {
  if ((await readSettings(db)).length > 0) return true;
  for (const table of ['people', 'organizations', 'agents'] as const) {
    if (await db.selectFrom(table).select('id').limit(1).executeTakeFirst()) return true;
  }
  return false;
});

async function readSettings(db: Db): Promise<FleetSetting[]> {
  return await db.selectFrom('fleet_settings').selectAll().orderBy('name').execute();
}
