/** Three regions on one machine: who is admitted where, and that no request leaves its region. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAgentConfig } from '../../agent/config.ts';
import { startAgent } from '../../agent/main.ts';
import { startSimulator } from '../../agent/simulator/main.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { makeLog } from '../../shared/log.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { REGIONS, type Region } from '../../shared/region.ts';
import { isAlive } from '../support/is-alive.ts';
import { type ReadyFile, Up, until } from '../support/up.ts';

const REQUESTS = 10_000;
/** Nine processes have to start on a machine that may be busy. */
const START_MS_MAX = 120_000;
/**
 * Only the organization of `us` uses this model, so that each engine's own metrics show which
 * requests it served.
 */
const US_MODEL = 'minimax/minimax-m3';
const OTHER_MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
/** The engines' names for the models. */
const CHECKPOINTS: Readonly<Record<string, string>> = {
  [US_MODEL]: 'MiniMaxAI/MiniMax-M3',
  [OTHER_MODEL]: 'Qwen/Qwen3-235B-A22B-Instruct-2507',
};

type Customer = { id: string; key: string };
type Answer = { status: number; code: string | null; message: string | null };

let up: Up;
const customers = new Map<Region, Customer>();
const sockets = new Agent({ connections: 128, pipelining: 1 });

beforeAll(async () => {
  up = await Up.start(['--regions']);
  customers.set('global', { id: up.first.organization.id, key: up.first.api_key });
  for (const region of ['us', 'eu'] as const) {
    customers.set(region, await up.customer(region, '--region', region));
  }
  for (const { id } of customers.values()) {
    const limit = ['--organization', id, '--requests-per-minute', '1000000'];
    await up.admin('organization', 'limits', ...limit);
  }
  await until(async () => (await readyWorkers()).length === 6, 'six workers');
}, START_MS_MAX);
afterAll(async () => {
  await sockets.destroy();
  await up[Symbol.asyncDispose]();
});

const regions = () => up.ready.regions as NonNullable<ReadyFile['regions']>;

type Worker = { id: string; region: Region; phase: string; name: string };
const readyWorkers = async () =>
  (await up.admin<Worker[]>('worker', 'list')).filter(({ phase }) => phase === 'ready');

async function ask(key: string, at: Region, model = OTHER_MODEL): Promise<Answer> {
  const { statusCode, body } = await request(`${regions()[at]}/chat/completions`, {
    method: 'POST',
    dispatcher: sockets,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }] }),
  });
  const { error } = (await body.json()) as { error?: { code: string; message: string } };
  return { status: statusCode, code: error?.code ?? null, message: error?.message ?? null };
}

/** Sends `count` requests, 64 at once. Returns how often each status came. */
async function askMany(count: number, one: () => Promise<Answer>): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  let left = count;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      const { status } = await one();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: Math.min(64, count) }, lane));
  return statuses;
}

const keyOf = (region: Region) => (customers.get(region) as Customer).key;

/** How many requests for a model the engines inside and outside a region report. */
async function servedOf(
  model: string,
  region: Region,
): Promise<{ inside: number; outside: number }> {
  const served = { inside: 0, outside: 0 };
  for (const host of Object.values(up.ready.hosts ?? {})) {
    const metrics = await (await fetch(`${host.engine_url}/metrics`)).text();
    const lines = metrics.matchAll(/^vllm:request_success_total\{(.*)\} (\d+)$/gm);
    for (const [, labels = '', count] of lines) {
      if (!labels.includes(`model_name="${CHECKPOINTS[model]}"`)) continue;
      served[host.region === region ? 'inside' : 'outside'] += Number(count);
    }
  }
  return served;
}

test('each region has a listener and two hosts, and its own customers are served there', async () => {
  expect(Object.keys(regions())).toEqual([...REGIONS]);
  expect(up.ready.base_url).toBe(regions().global);
  const where = (await readyWorkers()).map(({ region }) => region).toSorted();
  expect(where).toEqual(['eu', 'eu', 'global', 'global', 'us', 'us']);
  for (const region of REGIONS) {
    expect(await ask(keyOf(region), region)).toMatchObject({ status: 200 });
  }
});

test.each([
  ['us', 'eu'],
  ['us', 'global'],
  ['eu', 'us'],
  ['eu', 'global'],
  ['global', 'us'],
  ['global', 'eu'],
] as const)('a key of %s is refused at %s, and told its own region', async (of, at) => {
  const { status, code, message } = await ask(keyOf(of), at);
  expect({ status, code }).toEqual({ status: 401, code: 'wrong_region' });
  expect(message).toContain(`region ${of}`);
  expect(message).not.toContain(keyOf(of));
});

test('of 10,000 requests of us none reaches a host outside it, whatever else goes on', {
  timeout: 240_000,
}, async () => {
  const before = await servedOf(OTHER_MODEL, 'us');
  const [statuses, eu, everywhere] = await Promise.all([
    askMany(REQUESTS, () => ask(keyOf('us'), 'us', US_MODEL)),
    askMany(500, () => ask(keyOf('eu'), 'eu')),
    askMany(500, () => ask(keyOf('global'), 'global')),
  ]);
  expect(statuses).toEqual(new Map([[200, REQUESTS]]));
  expect(eu).toEqual(new Map([[200, 500]]));
  expect(everywhere).toEqual(new Map([[200, 500]]));
  // These figures come from the engines, not from the router.
  expect(await servedOf(US_MODEL, 'us')).toEqual({ inside: REQUESTS, outside: 0 });
  const after = await servedOf(OTHER_MODEL, 'us');
  expect(after.outside - before.outside).toBeGreaterThan(500);
});

test('the global listener also uses the hosts of us', async () => {
  const before = await servedOf(OTHER_MODEL, 'us');
  await until(async () => {
    await askMany(12, () => ask(keyOf('global'), 'global'));
    return (await servedOf(OTHER_MODEL, 'us')).inside > before.inside;
  }, 'a host of us serves an organization of no region');
});

test('when a host of us dies, the other one takes its work, and nobody elsewhere', async () => {
  const victim = up.ready.pids['us-1'] as number;
  let asked = 0;
  const statuses = await askMany(400, () => {
    asked += 1;
    if (asked === 150) process.kill(victim, 'SIGKILL');
    return ask(keyOf('us'), 'us', US_MODEL);
  });
  expect(statuses).toEqual(new Map([[200, 400]]));
  await until(async () => (await up.readAgain()).pids['us-1'] !== victim, 'the host is back');
  await until(async () => (await readyWorkers()).length === 6, 'six workers');
  expect(await servedOf(US_MODEL, 'us')).toMatchObject({ outside: 0 });
});

test('an agent is of the region that it was enrolled for, wherever it dials in', async () => {
  await using parts = new AsyncDisposableStack();
  const log = makeLog('test', 'silent');
  const engine = parts.use(
    await startSimulator(
      { model: [US_MODEL], port: 0, logLevel: 'silent' },
      { clock, random, log },
    ),
  );
  const enrol = ['agent', 'enrol', '--name', 'stray', '--region', 'us'];
  const { join_token } = await up.admin<{ join_token: string }>(...enrol);
  const config = parseAgentConfig(
    JSON.stringify({
      name: 'stray',
      data: await mkdtemp(join(tmpdir(), 'penstock-agent-')),
      routers: [`${new URL(regions().eu).origin.replace('http', 'ws')}/agent`],
      join: join_token,
      metrics: { port: 0 },
      engines: [{ name: 'stray', url: engine.url }],
    }),
  );
  parts.use(await startAgent(config, { clock, random, log }));
  const worker = await until(
    async () => (await readyWorkers()).find(({ name }) => name === 'stray'),
    'the stray worker',
  );
  expect(worker.region).toBe('us');
  const started = async () => {
    const journal = await (await fetch(`${engine.url}/sim/requests`)).json();
    return (journal as { started: number }).started;
  };
  // Its agent has probed the engine.
  const before = await started();
  await askMany(50, () => ask(keyOf('eu'), 'eu', US_MODEL));
  expect(await started()).toBe(before);
  await until(async () => {
    await ask(keyOf('us'), 'us', US_MODEL);
    return (await started()) > before;
  }, 'the stray worker serves us');
});

test('an organization that moves is let in at its new region within seconds, and nowhere else', async () => {
  const { id, key } = await up.customer('moving', '--region', 'us');
  expect(await ask(key, 'us')).toMatchObject({ status: 200 });
  const before = await up.credit(id);
  await up.admin('organization', 'region', '--organization', id, '--region', 'eu');
  await until(async () => (await ask(key, 'us')).status === 401, 'us refuses it', 10_000);
  expect(await ask(key, 'eu')).toMatchObject({ status: 200 });
  expect(await ask(key, 'us')).toMatchObject({ status: 401, code: 'wrong_region' });
  expect(await ask(key, 'global')).toMatchObject({ status: 401, code: 'wrong_region' });
  expect(Number((await up.credit(id)).balance)).toBeLessThan(Number(before.balance));
});

test('started again on the same data it serves all regions again', {
  timeout: START_MS_MAX,
}, async () => {
  await up.stop();
  await up.run();
  for (const region of REGIONS) {
    expect(await ask(keyOf(region), region)).toMatchObject({ status: 200 });
  }
});

test('a region whose hosts are all gone answers 503, though others are idle', async () => {
  await until(async () => (await readyWorkers()).length === 6, 'six workers');
  const ofUs = (await readyWorkers()).filter(({ region }) => region === 'us');
  for (const { id } of ofUs) await up.admin('worker', 'drain', '--worker', id);
  expect(await ask(keyOf('us'), 'us')).toMatchObject({ status: 503, code: 'no_worker' });
  expect(await ask(keyOf('eu'), 'eu')).toMatchObject({ status: 200 });
  expect(await ask(keyOf('global'), 'global')).toMatchObject({ status: 200 });
});

test('all its processes end with it, even on SIGKILL', async () => {
  const { pid, pids } = up.ready;
  expect(Object.keys(pids)).toHaveLength(8);
  process.kill(pid, 'SIGKILL');
  await until(() => Object.values(pids).every((part) => !isAlive(part)), 'every part has ended');
});
