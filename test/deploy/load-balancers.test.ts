/**
 * Two routers and an agent behind each load balancer of `configs/load-balancers/`: clients and the
 * agent reach the routers only through it.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseRouterConfig } from '../../router/config.ts';
import { prepareFirstRun } from '../support/installation.ts';
import { seededRandom } from '../../shared/random.ts';
import { ClientLog } from '../support/client-log.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/up.ts';
import { CATALOG, Router } from '../torture/fleet.ts';
import { Load, MODEL, shortAnswer } from '../torture/load.ts';
import { type Customer, Office } from '../torture/office.ts';
import { PostgresServer } from '../torture/postgres-server.ts';
import { Process } from '../torture/process.ts';
import { PICO_PER_USD } from '../../shared/money.ts';
import { BALANCERS, makeTlsFiles, startBalancer } from './balancers.ts';

const STOP_MS_MAX = 120_000;
/** Longer than a balancer takes to see that a router fails `/readyz`. */
const DRAIN_GRACE_MS = 4_000;

/** How long a stream is silent between two tokens. `BALANCER_IDLE_MS=75000 npm run …` is longer. */
const IDLE_MS = Number(process.env['BALANCER_IDLE_MS'] ?? 5_000);

const undo = new AsyncDisposableStack();
let folder: string;
let port: number;
let routers: [Router, Router];
let engine: string;
let customer: Customer;
let log: ClientLog;

const started = (process: Process): Process => {
  undo.defer(async () => void (await process.stop(STOP_MS_MAX)));
  return process;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'penstock-balancers-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const certificate = await makeTlsFiles(folder);
  setDefaultCACertificates([...getCACertificates('default'), certificate]);
  port = await freePort();
  const server = undo.use(await PostgresServer.create());
  const config = (number: number) => ({
    listeners: [{ port: 0, region: 'global' }],
    metrics: { port: 0 },
    store,
    catalog: CATALOG,
    secrets: join(folder, 'secrets.json'),
    drainGraceMs: DRAIN_GRACE_MS,
    advertise: `wss://127.0.0.1:${port}/router-${number}/agent`,
    control: { trustedProxies: ['127.0.0.1'] },
  });
  const store = await server.database(`balancers_${process.pid}`);
  const first = await prepareFirstRun(parseRouterConfig(config(1), 'test'));
  if (!first) throw new Error('the store is not empty');
  routers = [1, 2].map((number) => {
    const router = new Router(join(folder, `router-${number}.yaml`), config(number), {});
    started(router.process);
    return router;
  }) as [Router, Router];
  const sim = started(
    new Process('sim', ['sim', '--port', '0', '--catalog', CATALOG, '--token-ms', '20']),
  );
  const [{ url = '' }] = await Promise.all([sim.start(), ...routers.map((one) => one.start())]);
  engine = url;
  await fetch(`${engine}/sim/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ slow_drip: { ms: IDLE_MS, containing: 'slowly' } }),
  });
  const office = new Office(() => routers[0].origin, first.operator.token);
  customer = await office.customer('Acme', 100n * PICO_PER_USD);
  const { join_token } = await office.call<{ join_token: string }>('POST', '/agents', {
    name: 'gpu-1',
  });
  const agent = {
    name: 'gpu-1',
    data: join(folder, 'agent'),
    // The agent learns the URL of the other router from the first one.
    routers: [{ url: `wss://127.0.0.1:${port}/router-1/agent`, ca: join(folder, 'tls.crt') }],
    join: join_token,
    metrics: { port: 0 },
    engines: [{ name: 'engine', url: engine }],
  };
  await writeFile(join(folder, 'agent.yaml'), stringify(agent), { mode: 0o600 });
  log = undo.use(new ClientLog(join(folder, 'client.log')));
  await started(new Process('agent', ['agent', '--config', join(folder, 'agent.yaml')])).start();
}, 120_000);
afterAll(() => undo.disposeAsync());

for (const balancer of BALANCERS) {
  const reason = balancer.program === null ? ` (skipped: ${balancer.name} is not installed)` : '';
  test.skipIf(balancer.program === null)(
    `${balancer.name} passes on streams, links and large bodies, and no request fails while routers restart${reason}`,
    { timeout: 240_000 },
    async () => {
      const origins = [routers[0].origin, routers[1].origin] as const;
      await using _ = await startBalancer(balancer, { folder, port, routers: origins });
      // The link to the second router has the URL that it advertises.
      await Promise.all(routers.map((router) => router.serving(1)));
      const base = `https://127.0.0.1:${port}/v1`;
      const target = { base, key: customer.key, model: MODEL };

      await tokenByToken(target);
      const body = await fetch(`${base}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: MODEL,
          messages: [{ role: 'user', content: 'word '.repeat(6_000_000) }],
        }),
      });
      const refusal = (await body.json()) as { error: { code: string } };
      expect([body.status, refusal.error.code]).toEqual([400, 'context_length_exceeded']);

      const endings: Record<string, number> = {};
      await using load = new Load({
        log,
        streams: 8,
        random: seededRandom(1),
        target: () => target,
        ask: (any) => ({ ...shortAnswer(any), ...balancer.asks }),
        onEnded: ({ ending, status, code }) => {
          const how = ending === 'complete' ? 'complete' : `${ending} ${status} ${code}`;
          endings[how] = (endings[how] ?? 0) + 1;
        },
      });
      const idle = log.ask({ ...target, prompt: 'Write 2 tokens slowly.', maxTokens: 2 });
      for (const router of routers) {
        await until(() => (endings['complete'] ?? 0) > 20, 'answers');
        expect(await router.process.stop(STOP_MS_MAX)).toBe(0);
        await router.start();
        await router.serving(1);
        // A balancer that has not seen yet that this router is back would have none left.
        await until(() => isUsed(router), `${balancer.name} to use a router again`);
      }
      await load.stop();
      expect((await idle).ending).toBe('complete');
      process.stdout.write(`${balancer.name}: ${JSON.stringify(endings)}\n`);
      expect(Object.keys(endings)).toEqual(['complete']);
    },
  );
}

/** Whether the router has served requests since its start. */
async function isUsed({ metricsUrl }: Router): Promise<boolean> {
  const page = await fetch(metricsUrl).then((answer) => answer.text());
  return /^penstock_router_requests_total\{.* [1-9]/m.test(page);
}

/** The engine still runs when the client has the first token, so nothing waits for the end. */
async function tokenByToken(target: Readonly<{ base: string; key: string; model: string }>) {
  const asked: Promise<unknown>[] = [];
  let pieces = 0;
  const call = await log.ask({
    ...target,
    prompt: 'Write exactly 100 tokens.',
    maxTokens: 200,
    onEvent: ({ events, pieces: all }) => {
      pieces = all.length;
      if (events !== 2) return;
      asked.push(fetch(`${engine}/sim/requests`).then((answer) => answer.json()));
    },
  });
  expect(call.ending).toBe('complete');
  expect(await Promise.all(asked)).toMatchObject([{ running: 1 }]);
  expect(pieces).toBeGreaterThan(50);
}
