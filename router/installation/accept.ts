/** Compares and changes the settings that a fleet shares: see docs/secrets.md. */
import type { RouterConfig } from '../config.ts';
import { ConfigError } from '../config-error.ts';
import { readSecrets, type Secrets } from '../secrets.ts';
import { openStore } from '../store/open-store.ts';
import type { Store, StoreParts } from '../store/store.ts';
import { forgetTime } from '../store/time.ts';
import { acceptFleet, readFleet } from './procedures.ts';
import { changes, differences, sharedSettings } from './settings.ts';
import { REGISTRY } from './store.ts';

/** Lists how this configuration and its secrets differ from the fleet's, one line per setting. */
export async function compareSettings(config: RouterConfig, parts: StoreParts): Promise<string[]> {
  const { store, secrets } = await open(config, parts);
  await using opened = store;
  return differences(sharedSettings(config, secrets), await opened.call(readFleet, null));
}

/** Makes this configuration that of the fleet, and returns what has changed. */
export async function acceptSettings(config: RouterConfig, parts: StoreParts): Promise<string[]> {
  const { store, secrets } = await open(config, parts);
  await using opened = store;
  const own = sharedSettings(config, secrets);
  const changed = changes(own, await opened.call(readFleet, null));
  await opened.call(acceptFleet, { own });
  // Accepting also confirms the store's time: routers that do not trust it report that.
  await opened.call(forgetTime, null);
  return changed;
}

async function open(
  config: RouterConfig,
  parts: StoreParts,
): Promise<{ store: Store; secrets: Secrets }> {
  const secrets = await readSecrets(config.secrets);
  if (secrets === null) throw new ConfigError(`secrets: there is no ${config.secrets}`);
  return { secrets, store: await openStore({ url: config.store, registry: REGISTRY }, parts) };
}
