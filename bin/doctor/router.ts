/** What `penstock doctor` examines of a router. It changes nothing. */
import { stat } from 'node:fs/promises';
import type { RouterConfig } from '../../router/config.ts';
import { connectionsWithin, descriptorLimit, isLow } from '../../router/descriptors.ts';
import { fileFaults } from '../../router/named-files.ts';
import { readSecrets } from '../../router/secrets.ts';
import type { Clock } from '../../shared/clock.ts';
import { certificateFindings } from './certificates.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { probeLink } from './link-probe.ts';
import { type Place, portFinding } from './ports.ts';
import { storeFindings } from './store.ts';

export async function routerFindings(config: RouterConfig, clock: Clock): Promise<Finding[]> {
  const secrets = await readSecrets(config.secrets).catch(() => null);
  const findings = await Promise.all([
    fileFindings(config),
    secretsFindings(config),
    storeFindings(config, secrets, clock),
    descriptorFinding(),
    ...placesOf(config).map(portFinding),
    certificateFindings(config, clock),
    advertiseFindings(config),
  ]);
  return findings.flat();
}

async function fileFindings(config: RouterConfig): Promise<Finding[]> {
  const faults = await fileFaults(config);
  if (faults.length === 0) return [ok('files', 'all files of the configuration can be used')];
  return faults.map((text) =>
    fault('files', text, 'Make the file, or correct its path in the configuration.'),
  );
}

/** Leaves out a file that is absent or unreadable, which the other checks report. */
async function secretsFindings({ secrets: file }: RouterConfig): Promise<Finding[]> {
  const found = await stat(file).catch(() => null);
  if (found === null) return [];
  const mode = (found.mode & 0o777).toString(8);
  if ((found.mode & 0o077) === 0) return [ok('secrets', `${file} has the mode ${mode}`)];
  const text = `other users have access to ${file}, whose mode is ${mode}`;
  return [warning('secrets', text, `Run chmod 600 ${file}.`)];
}

async function descriptorFinding(): Promise<Finding> {
  const limit = await descriptorLimit();
  const bounds = connectionsWithin(limit);
  const found = `${limit ?? 'any number of'} open files are allowed here, enough for ${bounds.totalMax} connections`;
  if (!isLow(bounds)) return ok('open files', found);
  const advice = 'Raise the limit of the service (LimitNOFILE, ulimit -n) if it is the same there.';
  return warning('open files', found, advice);
}

function placesOf({ listeners, metrics }: RouterConfig): Place[] {
  const named = listeners.map(
    ({ host, port, tls }, index): Place => ({
      setting: `listeners[${index}]`,
      host,
      port,
      serves: tls ? 'TLS link' : 'plain link',
    }),
  );
  return [...named, { setting: 'metrics', ...metrics, serves: 'metrics' }];
}

async function advertiseFindings({ advertise }: RouterConfig): Promise<Finding[]> {
  if (advertise === undefined) return [];
  const failed = await probeLink(advertise, { pins: null, ca: null });
  if (failed === null) return [ok('advertise', `a router answers at ${advertise}`)];
  const advice =
    'Look again while the router runs; if the fault stays, check the name, the proxy and the certificate.';
  return [warning('advertise', `no router answers at ${advertise}: ${failed}`, advice)];
}
