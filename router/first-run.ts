/** Creates the records that `penstock up` needs on an empty store, before the router serves. */
import { inPico } from '../shared/money.ts';
import { systemRandom as random } from '../shared/random.ts';
import type { Region } from '../shared/region.ts';
import type { RouterConfig } from './config.ts';
import { mintAgent } from './control/agents/mint.ts';
import { insertAgent } from './control/agents/procedures.ts';
import { bootstrap, type FirstRun } from './control/bootstrap.ts';
import type { Installation } from './installation/open.ts';

export type { FirstRun } from './control/bootstrap.ts';

/**
 * Creates the operator, organization, key and agent of a first run. `keep` stores their secrets, and
 * is called before they are of any use. Returns null on every later run.
 */
export async function prepareFirstRun(
  { store, pepper, clock }: Installation,
  { brand, welcome }: RouterConfig,
  keep: (firstRun: FirstRun) => Promise<void> = async () => {},
): Promise<FirstRun | null> {
  const parts = { pepper, brand, clock, random, welcome: inPico(welcome.amount) };
  return await bootstrap(store, parts, keep);
}

/** Enrols hosts. Returns a join token for each host. */
export async function enrolHosts(
  { store, pepper, clock }: Installation,
  hosts: readonly Readonly<{ name: string; region: Region }>[],
): Promise<string[]> {
  const tokens: string[] = [];
  for (const host of hosts) {
    const { joinToken, agent, token } = mintAgent({ pepper, clock, random }, host);
    await store.call(insertAgent, { agent, token });
    tokens.push(joinToken);
  }
  return tokens;
}
