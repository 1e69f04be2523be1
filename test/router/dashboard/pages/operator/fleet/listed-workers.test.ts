/** How the workers of the fleet are searched, filtered and sorted. */
import { expect, test } from 'vitest';
import {
  listedWorkers,
  workersInWords,
  USUAL_ORDER,
} from '../../../../../../router/dashboard/pages/operator/fleet/listed-workers.ts';
import type { WorkerRow } from '../../../../../../router/dashboard/api/readings.ts';

type Changed = Partial<Omit<WorkerRow, 'worker'>> &
  Readonly<{ worker?: Partial<WorkerRow['worker']> }>;

function row(host: string, { worker, ...rest }: Changed = {}): WorkerRow {
  return {
    worker: {
      id: `${host}/engine-0`,
      agent: `agt_${host}`,
      agent_name: host,
      agent_version: '1.0.0',
      name: 'engine-0',
      region: 'us',
      engine: 'vllm 0.11.0',
      phase: 'ready',
      breaker: 'closed',
      share: 1,
      models: ['qwen/qwen3-8b'],
      slots: 64,
      running: 0,
      waiting: 0,
      in_flight: 0,
      kv_use: 0,
      prefix_hit_tokens: 0,
      prefix_query_tokens: 0,
      alarms: [],
      completion_tokens: 0,
      gpus: [],
      notes: [],
      ...worker,
    },
    state: 'ready',
    tokensPerSecond: null,
    looked: 0,
    found: 0,
    speeds: [],
    kvUses: [],
    ...rest,
  };
}

const ROWS = [
  row('gpu-10', { worker: { running: 3, kv_use: 0.2 }, tokensPerSecond: 90 }),
  row('gpu-9', { worker: { running: 1, waiting: 5, kv_use: 0.9, region: 'eu' } }),
  row('gpu-2', { state: 'draining', tokensPerSecond: 120 }),
  row('gpu-3', { state: 'open', worker: { models: ['openai/gpt-oss-120b'] } }),
];
const NAME = { sort: 'name', order: 'asc' } as const;

const QUIET = { workers: new Map() };

const hosts = (
  ...[narrowed, sorted, hour = QUIET]: [
    Parameters<typeof listedWorkers>[1],
    Parameters<typeof listedWorkers>[2],
    Parameters<typeof listedWorkers>[3]?,
  ]
) => listedWorkers(ROWS, narrowed, sorted, hour).map(({ worker }) => worker.agent_name);

test.each([
  ['name', 'asc', ['gpu-2', 'gpu-3', 'gpu-9', 'gpu-10']],
  ['requests', 'desc', ['gpu-9', 'gpu-10', 'gpu-2', 'gpu-3']],
  ['kv_use', 'desc', ['gpu-9', 'gpu-10', 'gpu-2', 'gpu-3']],
  ['tokens', 'desc', ['gpu-2', 'gpu-10', 'gpu-3', 'gpu-9']],
] as const)(
  'workers are sorted by %s, %s, and those that are equal by name',
  (sort, order, sorted) => {
    expect(hosts({}, { sort, order })).toEqual(sorted);
  },
);

test('without an order that is asked for, workers that need attention come first', () => {
  expect(hosts({}, USUAL_ORDER)).toEqual(['gpu-3', 'gpu-2', 'gpu-9', 'gpu-10']);
});

test('workers whose attempts fail come after those that need attention, and are sorted by their share', () => {
  const hour = {
    workers: new Map([
      ['gpu-10/engine-0', { failed: 10, all: 83 }],
      // Below one per cent, it is in its place by name.
      ['gpu-9/engine-0', { failed: 1, all: 1_000 }],
    ]),
  };
  expect(hosts({}, USUAL_ORDER, hour)).toEqual(['gpu-3', 'gpu-10', 'gpu-2', 'gpu-9']);
  expect(hosts({}, { sort: 'failed', order: 'desc' }, hour)).toEqual([
    'gpu-10',
    'gpu-9',
    'gpu-2',
    'gpu-3',
  ]);
});

test('workers are found by the words of their host, name, engine and models', () => {
  expect(hosts({ search: 'GPT-OSS' }, NAME)).toEqual(['gpu-3']);
  expect(hosts({ search: 'gpu-9 vllm' }, NAME)).toEqual(['gpu-9']);
  expect(hosts({ search: 'gpu-10/engine-0' }, NAME)).toEqual(['gpu-10']);
  expect(hosts({ search: 'sglang' }, NAME)).toEqual([]);
});

test('workers are narrowed to a region, a model and a standing', () => {
  expect(hosts({ region: 'eu' }, NAME)).toEqual(['gpu-9']);
  expect(hosts({ model: 'openai/gpt-oss-120b' }, NAME)).toEqual(['gpu-3']);
  expect(hosts({ standing: 'ready' }, NAME)).toEqual(['gpu-9', 'gpu-10']);
  expect(hosts({ standing: 'draining' }, NAME)).toEqual(['gpu-2']);
});

const TROUBLED: readonly (readonly [string, Changed])[] = [
  ['a breaker that is open', { state: 'open' }],
  ['a share of its slots', { worker: { share: 0.5 } }],
  ['a note of its agent', { worker: { notes: ['The engine has no prefix cache.'] } }],
];

test.each(TROUBLED)('a worker with %s needs attention', (_, changed) => {
  const rows = [row('gpu-1'), row('gpu-4', changed)];
  const troubled = listedWorkers(rows, { standing: 'troubled' }, NAME, QUIET);
  expect(troubled.map(({ worker }) => worker.agent_name)).toEqual(['gpu-4']);
});

test('a worker that drains is counted as drained once its requests have ended', () => {
  const drains = (running: number) =>
    row('gpu-4', { state: 'draining', worker: { phase: 'draining', running } });
  expect(workersInWords([row('gpu-1'), drains(2), drains(0), drains(0)])).toBe(
    '1 ready, 1 draining, 2 drained',
  );
  expect(workersInWords([row('gpu-1'), drains(0)])).toBe('1 ready, 1 drained');
});

test('a worker that is not ready is found by the models that it served before', () => {
  const last = { at: '2026-11-29T08:00:00.000Z', models: ['qwen/qwen3-8b'] };
  const hung = row('gpu-4', { state: 'unready', worker: { models: [], last_ready: last } });
  expect(listedWorkers([hung], { model: 'qwen/qwen3-8b' }, NAME, QUIET)).toEqual([hung]);
  expect(listedWorkers([hung], { search: 'qwen3-8b' }, NAME, QUIET)).toEqual([hung]);
});
