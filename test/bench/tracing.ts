/**
 * What tracing and the request log cost: CPU time of the router and of the agent for a short
 * streamed answer. The services take turns within each round, so a change of the machine's speed
 * affects all of them. Prints the medians over the rounds, and the lowest and the highest.
 *
 * `--baseline FOLDER` adds the service of another checkout, such as the commit before a change.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { Agent, request } from 'undici';
import { ManagedProcess } from '../../bin/managed-process.ts';
import { Up } from '../support/up.ts';
import { cpuSeconds } from '../torture/process-figures.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    requests: { type: 'string', default: '600' },
    concurrency: { type: 'string', default: '16' },
    'completion-tokens': { type: 'string', default: '16' },
    baseline: { type: 'string' },
  },
});
const [rounds, requests, concurrency] = [flags.rounds, flags.requests, flags.concurrency].map(
  Number,
) as [number, number, number];

const receiver = createServer((asked, response) => {
  asked.resume();
  asked.on('end', () => response.end());
});
await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
const traced = (sampleRatio: number) => ({ tracing: { endpoint, sampleRatio } });

const SERVICES: Readonly<Record<string, object>> = {
  'tracing off, request log none': { requestLog: 'none' },
  'tracing off, request log all': { requestLog: 'all' },
  'one request in 100 traced, log none': { requestLog: 'none', ...traced(0.01) },
  'every request traced, log none': { requestLog: 'none', ...traced(1) },
};

const sim = new ManagedProcess(
  'sim',
  ['sim', '--port', '0', '--catalog', 'configs/catalog.yaml', '--token-ms', '0'],
  () => {},
);
const { url: engine = '' } = await sim.start();
const folder = await mkdtemp(join(tmpdir(), 'penstock-bench-'));
const dispatcher = new Agent({ connections: concurrency, pipelining: 1 });
const body = JSON.stringify({
  model: 'minimax/minimax-m3',
  stream: true,
  max_tokens: Number(flags['completion-tokens']),
  messages: [{ role: 'user', content: `Write exactly ${flags['completion-tokens']} tokens.` }],
});

type Cost = Readonly<{ router: number; agent: number }>;
type Service = Readonly<{ name: string; up: Up }>;

await using owned = new AsyncDisposableStack();

async function startService(name: string, settings: object, program?: string): Promise<Service> {
  const file = join(folder, `${name.replaceAll(/\W/g, '-')}.yaml`);
  await writeFile(file, stringify(settings));
  const up = owned.use(await Up.start(['--engine', engine, '--settings', file], program));
  const { id } = up.first.organization;
  const credit = ['--amount', '10000', '--reason', 'bench'];
  await up.admin('credit', 'adjust', '--organization', id, ...credit);
  const limits = ['--requests-per-minute', '100000000', '--concurrent-requests', '1000000'];
  await up.admin('organization', 'limits', '--organization', id, ...limits);
  return { name, up };
}

async function once({ up, name }: Service): Promise<void> {
  const { statusCode, body: stream } = await request(`${up.ready.base_url}/chat/completions`, {
    method: 'POST',
    dispatcher,
    headers: {
      authorization: `Bearer ${up.first.api_key}`,
      'content-type': 'application/json',
    },
    body,
  });
  const text = await stream.text();
  const isComplete = text.includes('[DONE]');
  if (statusCode !== 200 || !isComplete) throw new Error(`${name}: ${statusCode} ${text}`);
}

/** Microseconds a request. */
async function block(service: Service): Promise<Cost> {
  const before = await cpu(service);
  let left = requests;
  const client = async () => {
    while (left-- > 0) await once(service);
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  const after = await cpu(service);
  const perRequest = (part: keyof Cost) => ((after[part] - before[part]) / requests) * 1e6;
  return { router: perRequest('router'), agent: perRequest('agent') };
}

async function cpu({ up }: Service): Promise<Cost> {
  const { router, agent } = up.ready.pids;
  return { router: await cpuSeconds(router), agent: await cpuSeconds(agent) };
}

const services: Service[] = [];
if (flags.baseline !== undefined) {
  const program = join(flags.baseline, 'bin/penstock');
  services.push(await startService('baseline, log none', { requestLog: 'none' }, program));
}
for (const [name, settings] of Object.entries(SERVICES)) {
  services.push(await startService(name, settings));
}
const costs = new Map(services.map((service) => [service, [] as Cost[]]));
// The first two rounds warm the services up.
for (let round = -2; round < rounds; round++) {
  for (let turn = 0; turn < services.length; turn++) {
    const service = services[(round + 2 + turn) % services.length] as Service;
    const cost = await block(service);
    if (round >= 0) costs.get(service)?.push(cost);
  }
}
for (const [{ name }, all] of costs) {
  const told = (['router', 'agent'] as const).map((part) => {
    const sorted = all.map((cost) => cost[part]).toSorted((a, b) => a - b);
    const [middle, least, most] = [sorted[Math.floor(sorted.length / 2)], sorted[0], sorted.at(-1)];
    return `${part} ${middle?.toFixed(0)} µs (${least?.toFixed(0)} to ${most?.toFixed(0)})`;
  });
  process.stdout.write(`${name}: ${told.join(', ')} a request\n`);
}
await dispatcher.close();
await sim.stop();
receiver.close();
receiver.closeAllConnections();
await rm(folder, { recursive: true, force: true });
