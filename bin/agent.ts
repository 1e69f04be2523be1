/** `penstock agent`: runs one agent until a signal stops it. */
import { z } from 'zod';
import { type AgentConfig, readAgentConfig } from '../agent/config.ts';
import { runAgent } from '../agent/main.ts';
import { fileFaults } from '../agent/named-files.ts';
import { systemClock as clock } from '../shared/clock.ts';
import { makeLog } from '../shared/log.ts';
import { systemRandom as random } from '../shared/random.ts';
import { reportChecked } from './check.ts';
import { endWithParent, reportReady } from './child.ts';
import { describe, UsageError } from './faults.ts';
import { checkFlags, Path } from './flags.ts';
import { stopOnSignals } from './stopping.ts';

const Flags = z.object({
  config: Path,
  check: z.boolean().default(false),
});

export async function agent(given: object): Promise<void> {
  const { config: file, check } = checkFlags(Flags, given);
  const config = await read(file);
  if (check) return reportChecked(file, await fileFaults(config));
  endWithParent();
  const { signal } = stopOnSignals();
  const { host } = config.metrics;
  await runAgent(config, {
    clock,
    random,
    log: makeLog('agent', config.logLevel),
    signal,
    onReady: ({ metricsPort }) =>
      reportReady({ metricsUrl: `http://${host}:${metricsPort}/metrics` }),
  });
}

async function read(file: string): Promise<AgentConfig> {
  try {
    return await readAgentConfig(file);
  } catch (error) {
    throw new UsageError(describe(error), { cause: error });
  }
}
