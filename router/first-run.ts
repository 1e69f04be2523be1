/** Creates the records that `penstock up` needs on an empty store, before the router starts. */
import { systemClock } from '../shared/clock.ts';
import { makeLog } from '../shared/log.ts';
import { inPico } from '../shared/money.ts';
import { systemRandom as random } from '../shared/random.ts';
import type { Region } from '../shared/region.ts';
import type { RouterConfig } from './config.ts';
import { mintAgent } from './control/agents/mint.ts';
import { insertAgent } from './control/agents/procedures.ts';
import { bootstrap, type FirstRun } from './control/bootstrap.ts';
import { type Installation, openInstallation } from './installation/open.ts';
import { openStoreOf } from './installation/store.ts';

export type { FirstRun } from './control/bootstrap.ts';

/** Creates the operator, organization, key and agent of a first run. Null on every later run. */
export async function prepareFirstRun(config: RouterConfig): Promise<FirstRun | null> {
  const { store: opened, pepper, clock } = await openFirst(config);
  await using store = opened;
  return await bootstrap(store, {
    pepper,
    brand: config.brand,
    clock,
    random,
    welcome: inPico(config.welcome.amount),
  });
}

/** Enrols hosts on a store that no router uses yet. Returns a join token for each host. */
export async function enrolHosts(
  config: RouterConfig,
  hosts: readonly Readonly<{ name: string; region: Region }>[],
): Promise<string[]> {
  const { store: opened, pepper, clock } = await openFirst(config);
  await using store = opened;
  const tokens: string[] = [];
  for (const host of hosts) {
    const { joinToken, agent, token } = mintAgent({ pepper, clock, random }, host);
    await store.call(insertAgent, { agent, token });
    tokens.push(joinToken);
  }
  return tokens;
}

async function openFirst(config: RouterConfig): Promise<Installation> {
  const parts = { clock: systemClock, log: makeLog('first-run', config.logLevel) };
  const [store] = await openStoreOf(config, parts, async () => null);
  return await openInstallation(config, store, parts);
}
