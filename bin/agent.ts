/** `penstock agent`: runs one agent until a signal stops it. */
import { z } from 'zod';
import { type AgentConfig, readAgentConfig } from '../agent/config.ts';
import { runAgent } from '../agent/main.ts';
import { fileFaults } from '../agent/named-files.ts';
import { systemClock as clock } from '../shared/clock.ts';
import { type Log, setLogLevel } from '../shared/log.ts';
import { systemRandom as random } from '../shared/random.ts';
import { reportChecked } from './check.ts';
import { endWithParent, reportReady } from './child.ts';
import { describe, UsageError } from './faults.ts';
import { checkFlags, Path } from './flags.ts';
import { openLog } from './open-log.ts';
import { openSystemd } from './systemd.ts';
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
  const log = await openLog('agent', config.logLevel);
  const systemd = openSystemd({ clock, log });
  const { signal } = stopOnSignals(() => void systemd.reload(() => reloadLogLevel(file, log)));
  signal.addEventListener('abort', () => systemd.stopping('finishing the last answers'));
  const { host } = config.metrics;
  await runAgent(config, {
    clock,
    random,
    log,
    signal,
    onReady({ metricsPort }) {
      const metricsUrl = `http://${host}:${metricsPort}/metrics`;
      reportReady({ metricsUrl });
      // Engines may take an hour to load, so the agent is ready for systemd before they are.
      systemd.ready(`running, with its state at ${new URL('/readyz', metricsUrl).href}`);
    },
  });
}

/** The other settings of the agent take effect at its next start. */
async function reloadLogLevel(file: string, log: Log): Promise<void> {
  try {
    const { logLevel } = await readAgentConfig(file);
    setLogLevel(log, logLevel);
    log.info(
      { logLevel },
      'log level was read again: other settings take effect at the next start',
    );
  } catch (error) {
    log.error({ err: error }, 'new configuration was rejected, and the log level stays as it is');
  }
}

async function read(file: string): Promise<AgentConfig> {
  try {
    return await readAgentConfig(file);
  } catch (error) {
    throw new UsageError(describe(error), { cause: error });
  }
}
