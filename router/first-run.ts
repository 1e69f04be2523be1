/** What `penstock up` makes on an empty store, before the router is started on it. */
import { systemClock as clock } from '../shared/clock.ts';
import { makeLog } from '../shared/log.ts';
import { systemRandom as random } from '../shared/random.ts';
import type { RouterConfig } from './config.ts';
import { bootstrap, type FirstRun } from './control/bootstrap.ts';
import { openSecrets } from './secrets.ts';
import { openStore } from './store/store.ts';

const REGISTRY = new URL('./procedures.ts', import.meta.url);

export type { FirstRun } from './control/bootstrap.ts';

/** The operator, organization, key and agent of a first run; null on every later one. */
export async function prepareFirstRun(config: RouterConfig): Promise<FirstRun | null> {
  const log = makeLog('first-run', config.logLevel);
  const { pepper } = await openSecrets(config.secrets);
  await using store = await openStore({ url: config.store, registry: REGISTRY }, { clock, log });
  return await bootstrap(store, { pepper, brand: config.brand, clock, random });
}
