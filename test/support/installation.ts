/** An installation without a router. */
import type { RouterConfig } from '../../router/config.ts';
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
