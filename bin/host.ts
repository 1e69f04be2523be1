/**
 * `penstock host`: a whole simulated GPU host, engine and agent in one process, as `penstock up
 * --regions` starts it. Its engine takes any free port, because only its own agent has to find it.
 */
import { readFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { z } from 'zod';
import { parseAgentConfig } from '../agent/config.ts';
import { runAgent } from '../agent/main.ts';
import { startSimulator } from '../agent/simulator/main.ts';
import { systemClock as clock } from '../shared/clock.ts';
import { systemRandom as random } from '../shared/random.ts';
import { parseYaml } from '../shared/yaml.ts';
import { endWithParent, reportReady } from './child.ts';
import { checkFlags, Path } from './flags.ts';
import { openLog } from './open-log.ts';
import { stopOnSignals } from './stopping.ts';

const Flags = z.object({ config: Path });

const HostConfig = z.strictObject({
  name: z.string(),
  data: z.string(),
  router: z.string(),
  join: z.string(),
  catalog: z.string(),
});

export async function host(given: object): Promise<void> {
  const { config: file } = checkFlags(Flags, given);
  const { router, catalog, ...own } = HostConfig.parse(parseYaml(await readFile(file, 'utf8')));
  endWithParent();
  const { signal } = stopOnSignals();
  const log = (await openLog('host', 'info')).child({ host: own.name });
  // The simulator is disposed of after the agent, because the agent first completes its answers.
  await using simulator = await startSimulator({ catalog, port: 0 }, { clock, random, log });
  const { url } = simulator;
  const config = parseAgentConfig(
    stringify({
      ...own,
      routers: [router],
      metrics: { port: 0 },
      engines: [{ name: 'engine', url }],
    }),
  );
  await runAgent(config, { clock, random, log, signal, onReady: () => reportReady({ url }) });
}
