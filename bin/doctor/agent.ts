/** What `penstock doctor` examines of an agent. It changes nothing. */
import type { AgentConfig, RouterAddress } from '../../agent/config.ts';
import { readIdentity } from '../../agent/identity.ts';
import { fileFaults } from '../../agent/named-files.ts';
import { loadTrust } from '../../agent/trust.ts';
import { engineFindings, type EngineParts } from './engines.ts';
import { type Finding, fault, ok } from './finding.ts';
import { probeLink } from './link-probe.ts';
import { portFinding } from './ports.ts';

export async function agentFindings(config: AgentConfig, parts: EngineParts): Promise<Finding[]> {
  const findings = await Promise.all([
    fileFindings(config),
    identityFindings(config),
    portFinding({ setting: 'metrics', ...config.metrics, serves: 'metrics' }),
    ...config.routers.map(routerFindings),
    engineFindings(config, parts),
  ]);
  return findings.flat();
}

async function fileFindings(config: AgentConfig): Promise<Finding[]> {
  const faults = await fileFaults(config);
  if (faults.length === 0) return [ok('files', 'all files of the configuration can be used')];
  return faults.map((text) =>
    fault('files', text, 'Make the file, or correct its path in the configuration.'),
  );
}

/** Leaves out a key that cannot be read, which the check of the files reports. */
async function identityFindings({ data, join }: AgentConfig): Promise<Finding[]> {
  const identity = await readIdentity(data).catch(() => undefined);
  if (identity === undefined) return [];
  if (identity) return [ok('key', `the key of the agent is in ${data}`)];
  if (join !== null) return [ok('key', 'the first start makes a key and enrols it with join')];
  const advice = 'Set join to a token from `penstock admin agent enrol`.';
  return [fault('key', `there is no key in ${data}, and no join token to enrol one`, advice)];
}

async function routerFindings(router: RouterAddress): Promise<Finding[]> {
  const { url } = router;
  const check = `router: ${url}`;
  const trust = await loadTrust(router).catch(() => null);
  // The check of the files reports why it cannot be verified.
  if (trust === null) return [];
  const failed = await probeLink(url, trust);
  if (failed === null) return [ok(check, 'it accepts links of agents')];
  const advice = 'Check that the router runs, its name and port, and ca or pin.';
  return [fault(check, `it cannot be reached: ${failed}`, advice)];
}
