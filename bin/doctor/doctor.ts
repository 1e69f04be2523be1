/** `penstock doctor`: examines an installation before a start, or while it runs. */
import { z } from 'zod';
import { readAgentConfig } from '../../agent/config.ts';
import { readRouterConfig, readSettings } from '../../router/config.ts';
import { readCatalog } from '../../shared/catalog.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { describe, Failed, UsageError } from '../faults.ts';
import { checkFlags, Path } from '../flags.ts';
import { printable, printableJson } from '../printable.ts';
import type { Finding } from './finding.ts';

const Flags = z.object({
  config: Path,
  agent: z.boolean().default(false),
  catalog: Path.optional(),
  json: z.boolean().default(false),
});
type Flags = z.infer<typeof Flags>;

/**
 * Throws UsageError or ConfigError when the configuration cannot be read, and Failed when there are
 * faults.
 */
export async function doctor(given: object): Promise<void> {
  const flags = checkFlags(Flags, given);
  const settings = await readSettings(flags.config);
  const isAgent = flags.agent || 'engines' in settings;
  const findings = await (isAgent ? ofAgent(flags) : ofRouter(flags));
  process.stdout.write(flags.json ? asJson(findings) : asText(findings));
  const faults = findings.filter(({ level }) => level === 'fault').length;
  if (faults > 0)
    throw new Failed(faults === 1 ? 'there is a fault' : `there are ${faults} faults`);
}

async function ofRouter({ config: file, catalog }: Flags): Promise<Finding[]> {
  if (catalog !== undefined) throw new UsageError('--catalog is for the configuration of an agent');
  const config = await readRouterConfig(file);
  const { routerFindings } = await import('./router.ts');
  return await routerFindings(config, clock);
}

async function ofAgent({ config: file, catalog: catalogFile }: Flags): Promise<Finding[]> {
  const [config, catalog] = await Promise.all([
    readAgentConfig(file),
    catalogFile === undefined ? null : readCatalog(catalogFile),
  ]).catch((error: unknown) => {
    throw new UsageError(describe(error), { cause: error });
  });
  const { agentFindings } = await import('./agent.ts');
  return await agentFindings(config, { clock, random, catalog });
}

function asText(findings: readonly Finding[]): string {
  const lines = findings.map(({ check, level, found, advice }) => {
    // The faults of a catalog are lines of their own.
    const line = `${level.padEnd('warning'.length)}  ${check}: ${found.replaceAll(/\s*\n\s*/g, ' ')}.`;
    return advice === null ? line : `${line} ${advice}`;
  });
  return `${lines.map(printable).join('\n')}\n`;
}

function asJson(findings: readonly Finding[]): string {
  return `${printableJson(JSON.stringify({ findings }, null, 2))}\n`;
}
