/**
 * Opens an installation: a store with the secrets that belong to it, for a router or for a command
 * that works on the store itself. A mismatch is refused here, before any request is answered,
 * because a router with other secrets would answer every key with 401.
 */
import { rm } from 'node:fs/promises';
import { BUILD } from '../../shared/build.ts';
import { sinceBoot } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import type { Peppers } from '../../shared/peppers.ts';
import type { RouterConfig } from '../config.ts';
import { ConfigError } from '../config-error.ts';
import { createSecrets, openSecrets, peppersInUse, readSecrets, type Secrets } from '../secrets.ts';
import { StoreClock } from '../store/clock.ts';
import { readLaterVersion } from '../store/later-version.ts';
import type { Store, StoreParts } from '../store/store.ts';
import { claimFleet, needsSecrets, readFleet } from './procedures.ts';
import {
  differences,
  type FleetSetting,
  peppersOf,
  secretSettings,
  sharedSettings,
} from './settings.ts';
import { openStoreOf, type Where } from './store.ts';

export type Installation = Readonly<{
  store: Store;
  secrets: Secrets;
  pepper: Peppers;
  /** The store's time. */
  clock: StoreClock;
}>;

/**
 * Throws ConfigError, and closes the store, if the configuration or the secrets are not those of
 * the store's fleet.
 */
export async function openInstallation(
  config: RouterConfig,
  store: Store,
  parts: StoreParts,
): Promise<Installation> {
  return await open(config, store, parts, (secrets) => sharedSettings(config, secrets));
}

/** The same for a command without a configuration: only the secrets have to be the fleet's. */
export async function openWithSecrets(where: Where, parts: StoreParts): Promise<Installation> {
  const [store] = await openStoreOf(where, parts, async () => null);
  return await open(where, store, parts, secretSettings);
}

/** Lists how a configuration differs from that of the fleet, with the same secrets. */
export async function differencesFromFleet(
  config: RouterConfig,
  { store, secrets }: Pick<Installation, 'store' | 'secrets'>,
): Promise<readonly string[]> {
  return differences(sharedSettings(config, secrets), await store.call(readFleet, null));
}

async function open(
  where: Where,
  opened: Store,
  parts: StoreParts,
  settingsOf: (secrets: Secrets) => FleetSetting[],
): Promise<Installation> {
  await using undo = new AsyncDisposableStack();
  const store = undo.use(opened);
  await warnIfOlder(store, parts.log);
  const made = await makeSecrets(where, store);
  const secrets = await openSecrets(where.secrets);
  const claimed = await store.call(claimFleet, { own: settingsOf(secrets) });
  if (claimed.differences.length > 0) {
    // Another router stored its settings in the meantime, so the secrets made here are useless.
    if (made) await rm(where.secrets, { force: true });
    throw new ConfigError(refusal(claimed.differences));
  }
  const pepper = peppersInUse(secrets, peppersOf(claimed.fleet) ?? []);
  const clock = await StoreClock.open({ store, local: parts.clock, sinceBoot, log: parts.log });
  undo.move();
  return { store, secrets, pepper, clock };
}

async function warnIfOlder(store: Store, log: Log): Promise<void> {
  const later = await store.call(readLaterVersion, null);
  if (later === null) return;
  const { version } = BUILD;
  const fault = 'this Penstock is older than its store, on which it can still run: update it';
  log.warn({ version, later }, fault);
}

/**
 * Makes secrets for an empty store, and returns whether it did. Throws ConfigError if they are
 * missing and the store is in use, because its keys need the secrets they were made with.
 */
async function makeSecrets({ secrets: file }: Where, store: Store): Promise<boolean> {
  if ((await readSecrets(file)) !== null) return false;
  if (await store.call(needsSecrets, null)) {
    throw new ConfigError(
      `secrets: there is no ${file}, and the store is in use already: with new secrets every key would be refused. ` +
        'Put the secrets file of the other routers, or of the last start, in its place.',
    );
  }
  return await createSecrets(file);
}

function refusal(found: readonly string[]): string {
  return [
    "this router's configuration differs from that of the fleet that uses the store:",
    ...found.map((line) => `  ${line}`),
    'Give it the configuration and the secrets file of the other routers; or, to change the setting for all of them, ' +
      'see `penstock fleet settings --help`.',
  ].join('\n');
}
