/**
 * A real Prometheus watches a real `penstock up` on PostgreSQL, with a second agent: every panel of
 * the dashboards has series, and of all alerts exactly those of the present faults fire.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../agent/simulator/main.ts';
import { DASHBOARDS } from '../../configs/grafana/sources/dashboards.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { makeLog } from '../../shared/log.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { PENSTOCK } from '../bin/run.ts';
import { freePort } from '../support/free-port.ts';
import { HAS_PROMTOOL } from '../support/promtool.ts';
import { Up } from '../support/up.ts';
import { PostgresServer } from '../torture/postgres-server.ts';
import { Prometheus } from './prometheus.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';

/** Panels that are rightly empty in a fleet without GPUs, trouble or full workers. */
const EMPTY = new Set([
  'GPUs',
  'Requests that wait for room',
  'Wait for a worker',
  'Clamps',
  'Alarms of audits',
  'Payment alarms',
  'Events of the payment provider',
  'Faults of the ledger',
]);

const parts = new AsyncDisposableStack();
let server: PostgresServer;
let up: Up;
let engines: Simulator[];
let agent: ChildProcess;
let prometheus: Prometheus;

async function startSecondAgent(engine: string, port: number): Promise<ChildProcess> {
  const enrol = ['agent', 'enrol', '--name', 'second', '--region', 'global'];
  const { join_token } = await up.admin<{ join_token: string }>(...enrol);
  const file = join(up.folder, 'second.yaml');
  await writeFile(
    file,
    JSON.stringify({
      name: 'second',
      data: join(up.folder, 'second'),
      routers: [`${up.origin.replace('http', 'ws')}/agent`],
      join: join_token,
      metrics: { port },
      engines: [{ name: 'second', url: engine }],
    }),
  );
  return spawn(PENSTOCK, ['agent', '--config', file], { stdio: 'ignore' });
}

/** Sends requests until its signal is aborted: new ones, and one that is repeated. */
async function load(signal: AbortSignal): Promise<void> {
  for (let count = 0; !signal.aborted; count++) {
    const key = `again-${Math.floor(count / 2)}`;
    const headers = {
      authorization: `Bearer ${up.first.api_key}`,
      'content-type': 'application/json',
      ...(count % 4 < 2 && { 'idempotency-key': key }),
    };
    const stream = count % 4 >= 2;
    const messages = [
      {
        role: 'user',
        content: `${Math.floor(count / 2)}: ${'please '.repeat(200)}write 10 words.`,
      },
    ];
    const body = { model: MODEL, stream, messages };
    const answer = await up.post('/chat/completions', body, { headers }).catch(() => null);
    await answer?.text().catch(() => null);
    await pause(50);
  }
}

async function setFaults(fault: object): Promise<void> {
  for (const { url } of engines) {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(fault);
    await fetch(`${url}/sim/faults`, { method: 'PUT', headers, body });
  }
}

/** Waits until these alerts fire, whichever others do. */
const fires = (names: readonly string[]) =>
  expect
    .poll(async () => (await prometheus.firing()).filter((name) => names.includes(name)), {
      timeout: 40_000,
      interval: 500,
    })
    .toEqual(names);

// Debian's package `prometheus` has Prometheus and promtool.
describe.skipIf(!HAS_PROMTOOL)('a fleet that Prometheus watches', () => {
  const loaded = new AbortController();

  beforeAll(async () => {
    const silent = { clock, random, log: makeLog('test', 'silent') };
    const options = { catalog: 'configs/catalog.yaml', port: 0 } as const;
    engines = await Promise.all([0, 1].map(() => startSimulator(options, silent)));
    for (const engine of engines) parts.use(engine);
    server = parts.use(await PostgresServer.create());
    const store = await server.database('watched');
    up = parts.use(await Up.start(['--store', store, '--engine', engines[0]?.url ?? '']));
    const port = await freePort();
    agent = await startSecondAgent(engines[1]?.url ?? '', port);
    parts.defer(() => void agent.kill('SIGKILL'));
    prometheus = parts.use(
      await Prometheus.start({
        routers: [new URL(up.ready.metrics_url).host],
        agents: [`127.0.0.1:${port}`],
      }),
    );
    const requests = load(loaded.signal);
    parts.defer(async () => {
      loaded.abort();
      await requests;
    });
  });
  afterAll(() => parts.disposeAsync());

  const panels = Object.values(DASHBOARDS).flatMap(({ rows }) => Object.values(rows).flat());

  test('while all is well, every panel has series and no alert fires', async () => {
    const empty = async () => {
      const found: string[] = [];
      for (const { title, queries } of panels) {
        for (const query of Object.values(queries)) {
          const filled = query.replaceAll('$__rate_interval', '10s').replace(/\$\w+/g, '.*');
          if ((await prometheus.count(filled)) === 0 && !EMPTY.has(title)) found.push(title);
        }
      }
      return found;
    };
    // Healthy requests have no errors and no failovers.
    const healthy = new Set(['Errors', 'Failovers', 'Refused keys']);
    const left = async () => (await empty()).filter((title) => !healthy.has(title));
    await expect.poll(left, { timeout: 20_000, interval: 500 }).toEqual([]);
    expect(await prometheus.faults()).toEqual([]);
    expect(await prometheus.firing()).toEqual([]);
  });

  test('the alerts of faults fire, and no others', async () => {
    const customer = await up.customer('gone');
    await up.admin('key', 'revoke', '--organization', customer.id, '--key', customer.keyId);
    await setFaults({ http_500: {} });
    agent.kill('SIGKILL');
    const revoked = { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' };
    const pressed = new AbortController();
    const strangers = (async () => {
      while (!pressed.signal.aborted) {
        const answer = await up
          .post('/chat/completions', {}, { headers: revoked })
          .catch(() => null);
        await answer?.text().catch(() => null);
        await pause(20);
      }
    })();
    const expected = [
      'PenstockAgentDown',
      'PenstockAvailabilityBurnsFast',
      'PenstockAvailabilityBurnsSlowly',
      'PenstockUnauthorizedSurge',
    ];
    await fires(expected).finally(() => pressed.abort());
    await strangers;
    for (const { annotations } of await prometheus.alerts()) {
      expect(Object.values(annotations).join(' ')).not.toContain('<error');
    }
    // The breakers of the workers are open or about to be, depending on when a probe is sent.
    const also = [
      'PenstockBreakerOpen',
      'PenstockLinksFlapping',
      'PenstockModelWithoutWorker',
      'PenstockWorkerFailing',
    ];
    const others = (await prometheus.firing()).filter((name) => !also.includes(name));
    expect(others).toEqual(expected);

    await server.pause();
    await fires(['PenstockHeartbeatLate', 'PenstockStoreDown']);
    await server.resume();
    expect(await prometheus.faults()).toEqual([]);
  });
});
