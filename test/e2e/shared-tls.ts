/**
 * A router with TLS and a simulated engine, for the tests of a file that imports this module, and
 * agents that dial the router.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { stringify } from 'yaml';
import { parseRouterConfig } from '../../router/config.ts';
import type { FirstRun } from '../../router/first-run.ts';
import { type CertificateFiles, makeCertificate } from '../support/certificate.ts';
import { prepareFirstRun } from '../support/installation.ts';
import { CATALOG } from '../torture/fleet.ts';
import { Process } from '../torture/process.ts';

const STOP_MS_MAX = 5_000;

const undo = new AsyncDisposableStack();
export let folder: string;
export let first: FirstRun;
export let origin: string;
export let router: Process;
let metricsUrl: string;
let engine: string;
/** The router's certificate, and one with another key for the same address. */
export let own: Certificate;
export let other: Certificate;

type Certificate = CertificateFiles & Readonly<{ pin: string }>;

async function certificate(name: string): Promise<Certificate> {
  const files = await makeCertificate(folder, name);
  const { publicKey } = new X509Certificate(await readFile(files.cert));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return { ...files, pin: `sha256//${createHash('sha256').update(spki).digest('base64')}` };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'penstock-tls-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  [own, other] = await Promise.all([certificate('own'), certificate('other')]);
  const config = {
    listeners: [{ port: 0, region: 'global', tls: { cert: own.cert, key: own.key } }],
    metrics: { port: 0 },
    store: `sqlite:${join(folder, 'penstock.db')}`,
    catalog: CATALOG,
    secrets: join(folder, 'secrets.json'),
    drainGraceMs: 0,
  };
  first = (await prepareFirstRun(parseRouterConfig(config, 'test'))) as FirstRun;
  await writeFile(join(folder, 'router.yaml'), stringify(config));
  router = started(new Process('router', ['router', '--config', join(folder, 'router.yaml')]));
  ({ origin = '', metricsUrl = '' } = await router.start());
  const sim = started(new Process('sim', ['sim', '--port', '0', '--catalog', CATALOG]));
  ({ url: engine = '' } = await sim.start());
});
afterAll(() => undo.disposeAsync());

function started(process: Process): Process {
  undo.defer(async () => void (await process.stop(STOP_MS_MAX)));
  return process;
}

/** An agent with more settings in its configuration, or another environment. */
type Setting = Readonly<{ config?: object; env?: NodeJS.ProcessEnv }>;

/** Runs an agent. `trust`: how it knows the router. */
export async function withAgent(
  trust: object,
  run: (agent: Process) => Promise<void>,
  setting: Setting = {},
): Promise<void> {
  const file = join(folder, 'agent.yaml');
  const config = {
    name: 'a',
    data: join(folder, 'agent'),
    routers: [{ url: `${origin.replace('https', 'wss')}/agent`, ...trust }],
    join: first.agent.joinToken,
    metrics: { port: 0 },
    engines: [{ name: 'engine', url: engine }],
    ...setting.config,
  };
  await writeFile(file, stringify(config));
  const agent = new Process('agent', ['agent', '--config', file], setting.env);
  await agent.start();
  try {
    await run(agent);
  } finally {
    await agent.stop(STOP_MS_MAX);
  }
}

/** The number of ready workers of the router. */
export async function workers(): Promise<number> {
  const page = await (await fetch(metricsUrl)).text();
  return Number(/^penstock_router_workers\{phase="ready"\} (\d+)$/m.exec(page)?.[1]);
}
