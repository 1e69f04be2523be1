/**
 * `penstock fleet settings`: compares a configuration with the settings that all routers of a store
 * share, and changes these settings on request.
 */
import { z } from 'zod';
import { readRouterConfig } from '../router/config.ts';
import { acceptSettings, compareSettings } from '../router/installation/accept.ts';
import { systemClock as clock } from '../shared/clock.ts';
import { makeLog } from '../shared/log.ts';
import { Failed } from './faults.ts';
import { checkFlags, Path } from './flags.ts';

const Flags = z.object({
  config: Path,
  accept: z.boolean().default(false),
});

/**
 * Without `--accept` this changes nothing, and throws Failed if a router with this configuration
 * would be refused.
 */
export async function fleetSettings(given: object): Promise<void> {
  const { config: file, accept } = checkFlags(Flags, given);
  const config = await readRouterConfig(file);
  const parts = { clock, log: makeLog('fleet', 'warn') };
  if (accept) {
    const changed = await acceptSettings(config, parts);
    return print(
      changed.length > 0 ? changed : ['nothing to change: the fleet already has these settings'],
    );
  }
  const found = await compareSettings(config, parts);
  if (found.length === 0) return print([`${file} has the same settings as the fleet`]);
  print(found);
  throw new Failed(
    `${file} differs from the fleet's settings: use --accept to make these the settings of the fleet`,
  );
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
