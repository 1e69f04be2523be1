/** The fleet page's figures from two minutes of readings. */
import { expect, test } from 'vitest';
import {
  type FleetReadings,
  hitShare,
  READINGS_MAX,
  readFleet,
  rowsOf,
  totalsOf,
} from '../../../../router/dashboard/api/readings.ts';
import type { WorkerEntry } from '../../../../shared/api/workers.ts';

function worker(change: Partial<WorkerEntry> = {}): WorkerEntry {
  return {
    id: 'agt_1/engine',
    agent: 'agt_1',
    agent_name: 'gpu-1',
    name: 'engine',
    region: 'global',
    engine: 'vllm',
    phase: 'ready',
    breaker: 'closed',
    share: 1,
    models: [],
    slots: 8,
    running: 2,
    waiting: 1,
    in_flight: 2,
    kv_use: 0.25,
    prefix_hit_tokens: 0,
    prefix_query_tokens: 0,
    alarms: [],
    completion_tokens: 0,
    gpus: [],
    notes: [],
    ...change,
  };
}

/** One reading every two seconds. */
function read(...readings: readonly (readonly WorkerEntry[])[]): FleetReadings {
  let history: FleetReadings | undefined;
  for (const [index, workers] of readings.entries()) {
    history = readFleet(history, workers, index * 2_000);
  }
  return history as FleetReadings;
}

test('a single reading has no rate, and no hits', () => {
  const history = read([worker({ completion_tokens: 5_000, prefix_query_tokens: 100 })]);
  const [row] = rowsOf(history);
  expect(row).toMatchObject({ tokensPerSecond: null, speeds: [], looked: 0, kvUses: [0.25] });
  expect(totalsOf(rowsOf(history))).toMatchObject({ tokensPerSecond: null, running: 2, slots: 8 });
  expect(hitShare({ looked: 0, found: 0 })).toBeNull();
});

test('rates are differences of counters over the time between readings', () => {
  const history = read(
    [worker({ completion_tokens: 1_000, prefix_query_tokens: 50, prefix_hit_tokens: 50 })],
    [worker({ completion_tokens: 1_200, prefix_query_tokens: 150, prefix_hit_tokens: 75 })],
    [worker({ completion_tokens: 1_800, prefix_query_tokens: 250, prefix_hit_tokens: 150 })],
  );
  const [row] = rowsOf(history);
  expect(row).toMatchObject({
    speeds: [100, 300],
    tokensPerSecond: 200,
    looked: 200,
    found: 100,
  });
  expect(hitShare(totalsOf(rowsOf(history)))).toBe(0.5);
});

test('a rate is one of the last ten seconds, however long the page has been open', () => {
  const made = [0, 9_000, 9_000, 9_000, 9_000, 9_000, 9_000];
  const history = read(...made.map((completion_tokens) => [worker({ completion_tokens })]));
  expect(rowsOf(history)[0]?.tokensPerSecond).toBe(0);
});

test('a counter that begins again counts from zero, and never below', () => {
  const history = read(
    [worker({ completion_tokens: 900, prefix_query_tokens: 900, prefix_hit_tokens: 800 })],
    [worker({ completion_tokens: 40, prefix_query_tokens: 30, prefix_hit_tokens: 10 })],
  );
  expect(rowsOf(history)[0]).toMatchObject({ speeds: [20], looked: 30, found: 10 });
});

test('a worker that has just joined brings its tokens, and not what its cache saw before', () => {
  const second = worker({ id: 'agt_2/engine', completion_tokens: 20, prefix_query_tokens: 7_000 });
  const history = read([worker()], [worker(), second]);
  const [, row] = rowsOf(history);
  expect(row).toMatchObject({ speeds: [10], looked: 0, kvUses: [null, 0.25] });
});

test('a worker that has gone is in no row', () => {
  const history = read([worker(), worker({ id: 'agt_2/engine' })], [worker()]);
  expect(rowsOf(history).map(({ worker: { id } }) => id)).toEqual(['agt_1/engine']);
});

test('the ring is bounded, and begins anew after a pause', () => {
  const history = read(...Array.from({ length: READINGS_MAX + 5 }, () => [worker()]));
  expect(history.readings).toHaveLength(READINGS_MAX);
  const at = history.readings.at(-1)?.at ?? 0;
  expect(readFleet(history, [worker()], at + 60_000).readings).toHaveLength(1);
});

test('totals tell the ready from those that drain and those that get no work, whose slots do not count', () => {
  const rows = rowsOf(
    read([
      worker({ id: 'a' }),
      worker({ id: 'b', phase: 'draining' }),
      worker({ id: 'c', breaker: 'open' }),
      worker({ id: 'd', phase: 'joining' }),
    ]),
  );
  expect(rows.map(({ state }) => state)).toEqual(['ready', 'draining', 'open', 'joining']);
  expect(totalsOf(rows)).toMatchObject({ workers: 4, ready: 1, others: 2, slots: 8 });
});

test('a worker that serves nothing is joining until its engine is found, and then not ready', () => {
  const stateOf = (change: Partial<WorkerEntry>) =>
    rowsOf(read([worker({ phase: 'joining', ...change })]))[0]?.state;
  expect(stateOf({ engine_found: false })).toBe('joining');
  expect(stateOf({ engine_found: true })).toBe('unready');
  // Its drain has just ended.
  expect(stateOf({ engine_found: true, models: ['acme/small'] })).toBe('joining');
  // Routers of an earlier version do not tell.
  expect(stateOf({})).toBe('joining');
});
