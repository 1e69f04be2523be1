/** An installation without a router. */
import type { RouterConfig } from '../../router/config.ts';
import {
  enrolHosts as enrolHostsOn,
  type FirstRun,
  prepareFirstRun as prepareFirstRunOn,
} from '../../router/first-run.ts';
import { type Installation, openInstallation } from '../../router/installation/open.ts';
import { openStoreOf } from '../../router/installation/store.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { makeLog } from '../../shared/log.ts';

const parts = { clock, log: makeLog('test', 'silent') };

/** Opens a store and its secrets as a router does at its start. */
export async function openAsRouter(config: RouterConfig): Promise<Installation> {
  const [store] = await openStoreOf(config, parts, async () => null);
  return await openInstallation(config, store, parts);
}

/** Makes the first run before any router starts. */
export async function prepareFirstRun(config: RouterConfig): Promise<FirstRun | null> {
  const installation = await openAsRouter(config);
  await using _ = installation.store;
  return await prepareFirstRunOn(installation, config);
}

export async function enrolHosts(
  config: RouterConfig,
  hosts: Parameters<typeof enrolHostsOn>[1],
): Promise<string[]> {
  const installation = await openAsRouter(config);
  await using _ = installation.store;
  return await enrolHostsOn(installation, hosts);
}
