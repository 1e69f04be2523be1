/** The history that routers write of the fleet, and its reading. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../shared/durations.ts';
import { LEVELS } from '../../../router/history/levels.ts';
import { SERIES_MAX } from '../../../router/history/recorder.ts';
import { sweepHistory } from '../../../router/history/write.ts';
import { StoreUnavailable } from '../../../router/store/errors.ts';
import type { Store } from '../../../router/store/store.ts';
import type { AgentId } from '../../../shared/ids.ts';
import { Rig } from '../ledger/rig.ts';
import { ScriptedAgent } from '../request/scripted-agent.ts';
import { endMinute, HistoryRouter, readHistory } from './rig.ts';

const MODEL = 'lab/small';
const GPU = { name: 'H100', memoryUsedBytes: 60, memoryTotalBytes: 80, use: 0.5 };
const TOKENS = { promptTokens: 100, cachedTokens: 40, completionTokens: 600 };

let rig: Rig;
beforeAll(async () => {
  rig = await Rig.start();
});
afterAll(() => rig[Symbol.asyncDispose]());
/** Each test finds an empty history. */
beforeEach(async () => {
  await rig.sql('DELETE FROM history_cells');
  await rig.sql('DELETE FROM history_series');
});

/** A request of `MODEL` that a worker has answered. */
function serve({ recorder }: HistoryRouter, ttftMs: number, worker = 'one'): void {
  const agent = `agt_${worker}` as AgentId;
  const request = { model: MODEL, agent, worker, ...TOKENS };
  recorder.attempted({ agent, name: worker, region: 'global' }, 'finished', ttftMs - 10);
  recorder.ended('global', MODEL, 200);
  recorder.firstToken('global', MODEL, ttftMs);
  recorder.billed('global', request);
  recorder.generated('global', request, 50);
}

test('what two routers observe adds up, and what both sample is averaged', async () => {
  const waiting = () => [{ model: MODEL, region: 'global' as const, length: 3 }];
  await using a = new HistoryRouter(rig, { models: [MODEL], waiting });
  await using b = new HistoryRouter(rig, { models: [MODEL] });
  for (const { fleet } of [a, b]) {
    const load = { running: 8, waiting: 2, kvUse: 0.25, gpus: [GPU, { ...GPU, use: 1 }] };
    new ScriptedAgent(fleet, rig).report([MODEL], load);
    new ScriptedAgent(fleet, rig, 'two').report([MODEL], { kvUse: 0.75 });
  }
  serve(a, 100);
  serve(a, 100);
  serve(b, 800, 'two');
  a.recorder.ended('global', MODEL, 503);
  b.recorder.ended('global', null, 401);
  await endMinute(rig, a, b);

  const { groups } = await readHistory(rig);
  const [fleet] = groups;
  expect(fleet?.points).toHaveLength(1);
  expect(fleet?.points[0]).toMatchObject({
    at: new Date(rig.clock.now() - MINUTE_MS).toISOString(),
    answered: 3,
    unavailable: 1,
    refused: 1,
    prompt_tokens: 300,
    cached_tokens: 120,
    completion_tokens: 1_800,
    tokens_per_second: 30,
    speed: { p50: expect.closeTo(50, -1), p95: expect.closeTo(50, -1) },
    workers: { connected: 2, ready: 2, running: 8, waiting: 2, slots: 200, kv_use: 0.5 },
  });
  // Within the five per cent of the histogram.
  expect(fleet?.points[0]?.ttft_ms?.p50).toBeCloseTo(100, -1);
  expect(fleet?.points[0]?.ttft_ms?.p95).toBeGreaterThan(760);
  expect(fleet?.points[0]?.ttft_ms?.p99).toBeGreaterThan(760);
  expect(fleet?.points[0]?.workers).toMatchObject({ gpus: 2, gpu_use: 0.75 });
  expect(fleet?.points[0]?.workers).toMatchObject({ gpu_memory_use: 0.75 });
  // Five samples of ten seconds: the first minute of a router begins with its start.
  expect(fleet?.points[0]?.queued).toBe(2.5);

  const byModel = await readHistory(rig, { groupBy: 'model' });
  expect(byModel.groups.map(({ model, total }) => ({ model, total }))).toMatchObject([
    { model: MODEL, total: { answered: 3, refused: 0, unavailable: 1, availability: 1 } },
  ]);
  expect(byModel.groups[0]?.total.workers).toEqual(fleet?.total.workers);
  const byAgent = await readHistory(rig, { groupBy: 'agent' });
  expect(byAgent.groups).toMatchObject([
    { agent: 'agt_one', total: { answered: 2, workers: { running: 8, kv_use: 0.25, gpus: 2 } } },
    { agent: 'agt_two', total: { answered: 1, workers: { running: 0, kv_use: 0.75, gpus: 0 } } },
  ]);
  const one = await readHistory(rig, { agent: 'agt_two' as AgentId, worker: 'two' });
  expect(one.groups).toMatchObject([{ total: { answered: 1, completion_tokens: 600 } }]);
});

test('the slowest hundredth of requests is told apart from the slowest twentieth', async () => {
  await using router = new HistoryRouter(rig);
  for (let nth = 0; nth < 97; nth++) serve(router, 100);
  for (let nth = 0; nth < 3; nth++) serve(router, 4_000);
  await endMinute(rig, router);
  for (const query of [{ groupBy: 'model' }, { groupBy: 'region' }] as const) {
    const { groups } = await readHistory(rig, query);
    const { p50, p95, p99 = 0 } = groups[0]?.total.ttft_ms ?? { p50: 0, p95: 0 };
    // Within the five per cent of the histogram.
    for (const [found, ms] of [
      [p50, 100],
      [p95, 100],
      [p99, 4_000],
    ] as const) {
      expect(Math.abs(found / ms - 1)).toBeLessThan(0.05);
    }
  }
});

test('a router that is killed loses its last minute, and one that stops loses nothing', async () => {
  let isKilled = false;
  const call: Store['call'] = (procedure, input) => {
    if (isKilled) throw new StoreUnavailable('killed');
    return rig.store.call(procedure, input);
  };
  await using killed = new HistoryRouter(rig, { store: { call } });
  serve(killed, 100);
  await endMinute(rig, killed);
  serve(killed, 100);
  rig.clock.advance(30_000);
  isKilled = true;
  // The next run of the same router.
  await using next = new HistoryRouter(rig);
  serve(next, 100);
  await next.history[Symbol.asyncDispose]();
  await endMinute(rig);
  const { groups } = await readHistory(rig);
  expect(groups[0]?.points.map(({ answered }) => answered)).toEqual([1, 1]);
});

test('a batch is added once, although its answer was lost, and waits while the store is away', async () => {
  let fault: 'none' | 'unreached' | 'unanswered' = 'unanswered';
  const call: Store['call'] = async (procedure, input) => {
    if (fault === 'unreached') throw new StoreUnavailable('unreached');
    const answer = await rig.store.call(procedure, input);
    if (fault === 'unanswered') throw new StoreUnavailable('unanswered');
    return answer;
  };
  await using router = new HistoryRouter(rig, { store: { call } });
  serve(router, 100);
  await endMinute(rig, router);
  fault = 'unreached';
  serve(router, 100);
  await endMinute(rig, router);
  fault = 'none';
  serve(router, 100);
  await endMinute(rig, router);
  const { groups } = await readHistory(rig);
  expect(groups[0]?.points.map(({ answered }) => answered)).toEqual([1, 1, 1]);
});

test('hours have what their minutes have, and old cells are deleted in bounded slices', async () => {
  await using router = new HistoryRouter(rig);
  for (let minute = 0; minute < 3; minute++) {
    serve(router, 100, `host-${minute}`);
    await endMinute(rig, router);
    rig.clock.advance(29 * MINUTE_MS);
    await router.history.written();
  }
  const hours = await readHistory(rig, { level: 'hour' });
  expect(hours.groups[0]?.points.map(({ answered }) => answered)).toEqual([2, 1]);
  await router[Symbol.asyncDispose]();

  const rowsOf = async (table: string) => (await rig.sql(`SELECT * FROM ${table}`)).length;
  const cells = await rowsOf('history_cells');
  let now = rig.clock.now();
  const sweep = (rows: number) => rig.store.call(sweepHistory, { now, rows });
  expect(await sweep(100)).toBe(0);
  now += LEVELS.minute.keptMs + 60 * MINUTE_MS;
  expect(await sweep(2)).toBe(2);
  expect(await rowsOf('history_cells')).toBe(cells - 2);
  while ((await sweep(2)) > 0);
  expect((await readHistory(rig)).groups[0]?.points).toEqual([]);
  expect((await readHistory(rig, { level: 'hour' })).groups[0]?.total.answered).toBe(3);
  now += LEVELS.hour.keptMs;
  while ((await sweep(2)) > 0);
  expect(await rowsOf('history_cells')).toBe(0);
  expect(await rowsOf('history_series')).toBe(0);
  // Only the row that every batch locks is left.
  expect(await rowsOf('history_batches')).toBe(1);
});

test('an agent that renames its workers again and again has a bounded number of series', async () => {
  await using router = new HistoryRouter(rig);
  const agent = 'agt_one' as AgentId;
  for (let round = 0; round < 3; round++) {
    for (let nth = 0; nth < 50; nth++) {
      const worker = { agent, name: `${round}-${nth}`, region: 'global' } as const;
      router.recorder.attempted(worker, 'finished', 10);
    }
    serve(router, 100, `honest-${round}`);
    await endMinute(rig, router);
    // A series that is not used for a minute is forgotten in memory.
    await endMinute(rig, router);
  }
  const rows = await rig.sql(`SELECT agent FROM history_series WHERE agent = 'agt_one'`);
  expect(rows).toHaveLength(SERIES_MAX.workersOfAgent);
  const { groups, omitted } = await readHistory(rig, { groupBy: 'agent', groups: 3 });
  expect(groups.map(({ agent: id }) => id)).toContain('agt_honest-2');
  expect([groups.length, omitted]).toEqual([3, 1]);
});
