/** `penstock sim`: runs the simulated engine until a signal stops it. */
import { once } from 'node:events';
import { startSimulator } from '../agent/simulator/main.ts';
import { SimOptions } from '../agent/simulator/options.ts';
import { systemClock as clock } from '../shared/clock.ts';

import { systemRandom as random } from '../shared/random.ts';
import { endWithParent, reportReady } from './child.ts';
import { checkFlags } from './flags.ts';
import { openLog } from './open-log.ts';
import { SHIPPED_CATALOG } from './shipped-catalog.ts';
import { stopOnSignals } from './stopping.ts';

export async function sim(given: object): Promise<void> {
  const isGiven = 'model' in given || 'catalog' in given;
  const served = isGiven ? given : { ...given, catalog: SHIPPED_CATALOG };
  const options = checkFlags(SimOptions, served);
  endWithParent();
  const { signal } = stopOnSignals();
  const log = await openLog('sim', options.logLevel);
  await using simulator = await startSimulator(options, {
    clock,
    random,
    log,
    signal,
    say: (line) => process.stderr.write(`${line}\n`),
    exit: () => process.kill(process.pid, 'SIGKILL'),
  });
  const { url, kvEventsEndpoint, kvReplayEndpoint } = simulator;
  reportReady({
    url,
    ...(kvEventsEndpoint !== null && { kvEventsEndpoint }),
    ...(kvReplayEndpoint !== null && { kvReplayEndpoint }),
  });
  if (!signal.aborted) await once(signal, 'abort');
}
