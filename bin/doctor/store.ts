/** The store of a router: whether it can be reached, whose version wrote it, and its clock. */
import { existsSync } from 'node:fs';
import type { RouterConfig } from '../../router/config.ts';
import { needsSecrets, readFleet } from '../../router/installation/procedures.ts';
import { differences, sharedSettings } from '../../router/installation/settings.ts';
import type { Secrets } from '../../router/secrets.ts';
import { inspectStore } from '../../router/store/inspect.ts';
import { migrationsOf } from '../../router/store/migrate.ts';
import type { Db } from '../../router/store/procedure.ts';
import { sqliteFile } from '../../router/store/store-url.ts';
import { readTime } from '../../router/store/time.ts';
import type { Clock } from '../../shared/clock.ts';
import { systemFault } from '../../shared/system-fault.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

/** As `router/store/clock.ts` judges it. */
const OFFSET_MS = { told: 1_000, most: 60_000 } as const;

/** `secrets`: null if there is no file yet, or if it cannot be read. */
export async function storeFindings(
  config: RouterConfig,
  secrets: Secrets | null,
  clock: Clock,
): Promise<Finding[]> {
  const file = sqliteFile(config.store);
  if (file !== null && !existsSync(file)) {
    return [ok('store', `there is no ${file} yet: the first start creates it`)];
  }
  try {
    return await inspectStore(config.store, clock, (db) => findingsIn(db, config, secrets, clock));
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const advice = 'Start the database, and check the URL and the permissions of its user.';
    return [fault('store', `it cannot be read: ${systemFault(cause)}`, advice)];
  }
}

async function findingsIn(
  db: Db,
  config: RouterConfig,
  secrets: Secrets | null,
  clock: Clock,
): Promise<Finding[]> {
  const { applied, missing, unknown, fault: excluded, version } = await migrationsOf(db);
  if (applied.length === 0) return [ok('store', 'it is empty: the first start makes its tables')];
  if (unknown.length > 0) {
    const found = `a later version of Penstock wrote it: ${unknown.join(', ')} is not known here`;
    if (excluded === null) {
      const later = version ?? 'that version';
      return [warning('store', found, `This one can still run on it. Update it to ${later}.`)];
    }
    const advice = 'Run that version, or a later one.';
    return [fault('store', found, version === null ? advice : `Run ${version} or a later one.`)];
  }
  if (missing.length > 0) {
    const found = `an earlier version of Penstock wrote it: it lacks ${missing.join(', ')}`;
    return [warning('store', found, 'Make a backup: the next start of a router migrates it.')];
  }
  return [
    ok('store', 'it can be read, and its tables are of this version'),
    await clockFinding(db, clock),
    await settingsFinding(db, config, secrets),
  ];
}

async function clockFinding(db: Db, clock: Clock): Promise<Finding> {
  const before = clock.now();
  const { now } = await readTime.run(db, null);
  const offset = (before + clock.now()) / 2 - now;
  const seconds = (Math.abs(offset) / 1000).toFixed(1);
  const found = `this machine's clock is ${seconds} s ${offset < 0 ? 'behind' : 'ahead of'} the store's`;
  const advice = 'Let NTP set both clocks: beyond 60 s a router accepts no requests.';
  if (Math.abs(offset) > OFFSET_MS.most) return fault('clock', found, advice);
  if (Math.abs(offset) > OFFSET_MS.told) return warning('clock', found, advice);
  return ok('clock', found);
}

async function settingsFinding(
  db: Db,
  config: RouterConfig,
  secrets: Secrets | null,
): Promise<Finding> {
  const check = 'settings of the fleet';
  if (secrets === null) {
    if (!(await needsSecrets.run(db, null))) return ok(check, 'the first start stores them');
    const found = 'the store is in use, and its secrets file cannot be read here';
    return fault(check, found, 'Put the secrets file of the other routers in its place.');
  }
  const found = differences(sharedSettings(config, secrets), await readFleet.run(db, null));
  if (found.length === 0) return ok(check, 'they are the same here and in the store');
  const advice = 'Use the settings of the other routers, or see `penstock fleet settings --help`.';
  return fault(check, found.join('; '), advice);
}
