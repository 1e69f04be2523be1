/**
 * A router that is several processes (docs/processes.md): they share the listeners and one store,
 * each agent serves all of them, and one of them can be killed or replaced.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { PICO_PER_USD } from '../../shared/money.ts';
import { seededRandom } from '../../shared/random.ts';
import { isAlive } from '../support/is-alive.ts';
import { PersistentLoad } from '../support/persistent-load.ts';
import { until } from '../support/up.ts';
import { Fleet } from '../torture/fleet.ts';
import { Load, MODEL } from '../torture/load.ts';
import { PostgresServer } from '../torture/postgres-server.ts';
import { conclude, type Stage } from '../torture/scene.ts';
import { crowd } from '../torture/t2-crowd.ts';
import { revoke } from '../torture/t20-revocation.ts';

const STOP_MS_MAX = 60_000;
const PROCESSES = 2;
const SERVES = /^penstock_router_requests_total\{.*status="200".*process="(\d+)"\} (\d+)$/gm;

/** The store kinds, and the server to create a database on. */
const STORES = ['sqlite', 'postgres'] as const;
async function open(store: (typeof STORES)[number], undo: AsyncDisposableStack) {
  const postgres = store === 'postgres' ? undo.use(await PostgresServer.create()) : null;
  const stage: Stage = { store, postgres, seed: 1 };
  return {
    stage,
    fleet: async (options: Parameters<typeof Fleet.start>[0] = {}) =>
      undo.use(await Fleet.start({ postgres, processes: PROCESSES, ...options })),
  };
}

/** The children of a router: the processes that serve its clients. */
async function childrenOf(fleet: Fleet): Promise<number[]> {
  const { pid } = fleet.router(0).process;
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}

/** How many requests each process has answered, by its label. */
async function answered(fleet: Fleet): Promise<Map<string, number>> {
  const page = await (await fetch(fleet.router(0).metricsUrl)).text();
  const counts = new Map<string, number>();
  for (const [, process = '', count] of page.matchAll(SERVES)) {
    counts.set(process, (counts.get(process) ?? 0) + Number(count));
  }
  return counts;
}

function ask(fleet: Fleet, key: string, tokens = 5) {
  const { base } = fleet.router(0);
  const prompt = `Write exactly ${tokens} tokens.`;
  return fleet.log.ask({ base, key, model: MODEL, prompt, maxTokens: 1_000 });
}

test.each(STORES)(
  'on %s, all processes serve, and one metrics page has them all',
  async (store) => {
    await using undo = new AsyncDisposableStack();
    const fleet = await (await open(store, undo)).fleet();
    const { key } = await fleet.office.customer('Both', PICO_PER_USD);
    const random = seededRandom(1);
    await using load = new Load({
      log: fleet.log,
      streams: 16,
      random,
      target: () => ({ base: fleet.router(0).base, key }),
    });
    await until(async () => (await answered(fleet)).size === PROCESSES, 'answers by both');
    await load.stop();
    const counts = await answered(fleet);
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(
      fleet.log.count('complete'),
    );
    const page = await (await fetch(fleet.router(0).metricsUrl)).text();
    expect(page).toMatch(/^process_cpu_seconds_total\{process="parent"\} [\d.]+$/m);
    expect(page.match(/^# TYPE penstock_router_requests_total counter$/gm)).toHaveLength(1);
    const { violations } = await conclude({ fleet, from: 0 }, { crashes: false }, {});
    expect(violations).toEqual([]);
  },
);

test.each(STORES)(
  'on %s, no crowd on several processes overdraws a balance (T2)',
  async (store) => {
    await using undo = new AsyncDisposableStack();
    const { stage, fleet: start } = await open(store, undo);
    const fleet = await start({ agents: 2, tokenMs: 1, tokensPerChunk: 4 });
    const { violations } = await crowd({ ...stage, fleet }, { clients: 500, answerTokens: 4_200 });
    expect(violations).toEqual([]);
  },
);

test.each(STORES)('on %s, a revoked key is refused by every process (T20)', async (store) => {
  await using undo = new AsyncDisposableStack();
  const { stage, fleet: start } = await open(store, undo);
  const fleet = await start({ agents: 2, tokenMs: 2 });
  const { violations } = await revoke(
    { ...stage, fleet },
    { afterMs: 1_000, pauseMs: 1_000, streams: 5 },
  );
  expect(violations).toEqual([]);
});

test.each(STORES)(
  'on %s, a process that is killed under load is replaced, and the books are right',
  { timeout: 180_000 },
  async (store) => {
    await using undo = new AsyncDisposableStack();
    const fleet = await (await open(store, undo)).fleet({ agents: 2 });
    const customer = await fleet.office.customer('Killed', 100n * PICO_PER_USD);
    const random = seededRandom(2);
    await using load = new Load({
      log: fleet.log,
      streams: 40,
      random,
      target: () => ({ base: fleet.router(0).base, key: customer.key }),
    });
    for (let kill = 0; kill < 3; kill++) {
      await pause(500 + random.below(500));
      const before = await childrenOf(fleet);
      const victim = before[random.below(before.length)] ?? 0;
      process.kill(victim, 'SIGKILL');
      await until(async () => {
        const now = await childrenOf(fleet);
        return now.length === PROCESSES && !now.includes(victim);
      }, 'a new process');
      await fleet.serving();
    }
    await load.stop();
    expect(fleet.log.count('cut')).toBeGreaterThan(0);
    expect((await ask(fleet, customer.key)).ending).toBe('complete');
    const { violations } = await conclude({ fleet, from: 0 }, { crashes: true }, {});
    expect(violations).toEqual([]);
  },
);

test('a parent that is killed leaves no process behind, and its router starts again', {
  timeout: 120_000,
}, async () => {
  await using undo = new AsyncDisposableStack();
  const fleet = await (await open('sqlite', undo)).fleet();
  const { key } = await fleet.office.customer('Orphans', PICO_PER_USD);
  const children = await childrenOf(fleet);
  expect(children).toHaveLength(PROCESSES);
  const stream = ask(fleet, key, 500);
  await pause(300);
  await fleet.router(0).process.kill();
  expect((await stream).ending).toBe('cut');
  await until(async () => children.every((pid) => !isAlive(pid)), 'the children to end');
  await fleet.router(0).start();
  await fleet.serving();
  expect((await ask(fleet, key)).ending).toBe('complete');
  const { violations } = await conclude({ fleet, from: 0 }, { crashes: true }, {});
  expect(violations).toEqual([]);
});

test('a child that dies while its parent has messages for it does not take the parent with it', async () => {
  await using undo = new AsyncDisposableStack();
  const fleet = await (await open('sqlite', undo)).fleet();
  const { process: router, metricsUrl } = fleet.router(0);
  const [victim = 0] = await childrenOf(fleet);
  // The parent finds a scrape, whose questions it sends to both children, before the end of one.
  const agent = new Agent({ connections: 1 });
  undo.defer(() => agent.close());
  await (await request(metricsUrl, { dispatcher: agent })).body.text();
  router.pause();
  const page = request(metricsUrl, { dispatcher: agent }).then(({ body }) => body.text());
  process.kill(victim, 'SIGKILL');
  await pause(200);
  router.resume();
  expect(await page).toContain('process="parent"');
  await until(async () => (await childrenOf(fleet)).length === PROCESSES, 'a new process');
  await fleet.serving();
  expect(router.isRunning).toBe(true);
});

test('a child that dies while all are replaced leaves neither a gap nor one too many', {
  timeout: 120_000,
}, async () => {
  await using undo = new AsyncDisposableStack();
  const fleet = await (await open('sqlite', undo)).fleet();
  const { process: router } = fleet.router(0);
  const [victim = 0] = await childrenOf(fleet);
  process.kill(router.pid, 'SIGUSR2');
  await pause(250);
  process.kill(victim, 'SIGKILL');
  await until(() => router.output.includes('rolling restart of the processes ended'), 'the end');
  await until(async () => (await childrenOf(fleet)).length === PROCESSES, 'the old ones to end');
  await pause(1_500);
  expect(await childrenOf(fleet)).toHaveLength(PROCESSES);
  await fleet.serving();
});

test('a router that is told to stop while its processes are replaced starts no more of them', async () => {
  await using undo = new AsyncDisposableStack();
  const fleet = await (await open('sqlite', undo)).fleet();
  const { process: router } = fleet.router(0);
  const started = () => router.output.split('"msg":"router ready"').length;
  const before = started();
  process.kill(router.pid, 'SIGUSR2');
  await pause(300);
  expect(await router.stop(STOP_MS_MAX)).toBe(0);
  expect(started()).toBeLessThanOrEqual(before + 1);
  expect(router.output).not.toContain('is not running');
});

test('a restart with other listeners is refused, and the processes go on', async () => {
  await using undo = new AsyncDisposableStack();
  const fleet = await (await open('sqlite', undo)).fleet();
  const { process: router } = fleet.router(0);
  const { key } = await fleet.office.customer('Same', PICO_PER_USD);
  const before = await childrenOf(fleet);
  const file = join(fleet.folder, 'router-0.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('region: global', 'region: eu'));
  process.kill(router.pid, 'SIGUSR2');
  await until(() => router.output.includes('rolling restart stopped'), 'the refusal');
  expect(router.output).toContain('`listeners` and `store` cannot change');
  expect(await childrenOf(fleet)).toEqual(before);
  expect((await ask(fleet, key)).ending).toBe('complete');
  await writeFile(file, text);
});

test.each(STORES)(
  'on %s, SIGUSR2 replaces the processes one after another, and no stream is cut',
  { timeout: 240_000 },
  async (store) => {
    await using undo = new AsyncDisposableStack();
    const { fleet: start } = await open(store, undo);
    const fleet = await start({ agents: 2, engines: 2, tokenMs: 10, drainGraceMs: 300 });
    const { key } = await fleet.office.customer('Rolling', 100n * PICO_PER_USD);
    await using load = new PersistentLoad({
      log: fleet.log,
      clients: 24,
      key,
      random: seededRandom(1),
      bases: () => [fleet.router(0).base],
    });
    const { process: router } = fleet.router(0);
    for (let round = 1; round <= 2; round++) {
      const before = await childrenOf(fleet);
      process.kill(router.pid, 'SIGUSR2');
      await until(
        async () => {
          const now = await childrenOf(fleet);
          return now.length === PROCESSES && now.every((pid) => !before.includes(pid));
        },
        'the processes to be replaced',
        60_000,
      );
      await fleet.serving();
    }
    await load.stop();
    process.stdout.write(`${load.whole} answers whole in ${load.tries} tries\n`);
    expect(load.truncated).toEqual([]);
    expect(load.turnedAway).toEqual([]);
    // No request was even refused once: each process serves its connections to the end.
    expect(fleet.log.count('refused')).toBe(0);
    expect(load.whole).toBeGreaterThan(24);
    expect(await router.stop(STOP_MS_MAX)).toBe(0);
    await fleet.router(0).start();
    await fleet.serving();
    const { violations } = await fleet.judge({ crashes: false });
    expect(violations).toEqual([]);
  },
);
