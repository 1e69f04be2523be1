/** Since when models and workers have a fault, by what routers have recorded. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readFaultStarts } from '../../../router/history/fault-starts.ts';
import {
  ANSWERED,
  FAILED,
  LISTENED,
  READY,
  SERVED,
  WORKERS,
} from '../../../router/history/figures.ts';
import { HistoryRecorder, type OpenCell } from '../../../router/history/recorder.ts';
import { writeHistory } from '../../../router/history/write.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.ts';
import { type AgentId, mintId } from '../../../shared/ids.ts';
import { Rig } from '../ledger/rig.ts';

const MODEL = 'lab/small';

let rig: Rig;
beforeAll(async () => {
  rig = await Rig.start();
});
afterAll(() => rig[Symbol.asyncDispose]());
beforeEach(async () => {
  rig.clock.advance(DAY_MS - (rig.clock.now() % DAY_MS));
  await rig.sql('DELETE FROM history_cells');
});

type Counts = readonly (readonly [figure: number, count: number])[];

/** Writes one minute, which began so long ago, of the series that `of` finds. */
async function record(ago: number, counts: Counts, of = ofModel): Promise<void> {
  const recorder = new HistoryRecorder();
  for (const [figure, count] of counts) of(recorder)?.add(figure, count);
  const router = mintId('incarnation', rig.clock, rig.random);
  const [now, cells] = [rig.clock.now(), recorder.take()];
  await rig.store.call(writeHistory, { router, number: 1, minute: now - ago, now, cells });
}

function ofModel(recorder: HistoryRecorder): OpenCell | null {
  return recorder.model('global', MODEL);
}

const served = (samples: number): Counts => [
  [LISTENED, 6],
  [SERVED, samples],
];

/** How long ago the fault began. Null: nothing is recorded of it. */
async function ageOf(kind: 'unserved' | 'degraded'): Promise<number | null> {
  const now = rig.clock.now();
  const faults = [{ kind, model: MODEL, region: null }];
  const [start = null] = await rig.store.call(readFaultStarts, { faults, now });
  return start === null ? null : now - start;
}

test('a model is down since the last time that a worker was ready, also if no router ran meanwhile', async () => {
  await record(40 * MINUTE_MS, served(6));
  await record(39 * MINUTE_MS, served(3));
  await record(38 * MINUTE_MS, served(0));
  // The routers were started again.
  await record(5 * MINUTE_MS, served(0));
  expect(await ageOf('unserved')).toBe(38.5 * MINUTE_MS);
});

test('a fault that is not recorded yet has no start', async () => {
  await record(2 * MINUTE_MS, served(6));
  expect(await ageOf('unserved')).toBeNull();
  expect(await ageOf('degraded')).toBeNull();
});

test('an outage of days has its whole age', async () => {
  await record(5 * DAY_MS, served(6));
  await record(5 * DAY_MS - MINUTE_MS, served(0));
  await record(DAY_MS, served(0));
  await record(MINUTE_MS, served(0));
  // An hour tells for how long it was well, and not when.
  expect(Math.abs((await ageOf('unserved')) ?? 0) - 5 * DAY_MS).toBeLessThanOrEqual(HOUR_MS);
  expect(await ageOf('unserved')).toBeGreaterThan(4 * DAY_MS);
});

test('a service is degraded since the first fault that ten good minutes did not follow', async () => {
  await record(55 * MINUTE_MS, served(0));
  for (let ago = 45; ago > 30; ago--) await record(ago * MINUTE_MS, served(6));
  const failing: Counts = [...served(6), [ANSWERED, 80], [FAILED, 20]];
  for (const ago of [30, 22, 14, 6]) {
    await record(ago * MINUTE_MS, failing);
    for (let past = 1; past < 8; past++) await record((ago - past) * MINUTE_MS + 1, served(6));
  }
  expect(await ageOf('degraded')).toBe(30 * MINUTE_MS);
});

test('a worker is not ready since its last ready sample', async () => {
  const agent = mintId('agent', rig.clock, rig.random) as AgentId;
  await rig.sql(
    `INSERT INTO agents (id, name, region, state, created) VALUES ('${agent}', 'gpu-1', 'eu', 'enrolled', 1)`,
  );
  const of = (recorder: HistoryRecorder) =>
    recorder.worker({ agent, name: 'vllm/0', region: 'eu' });
  const ready = (samples: number): Counts => [
    [WORKERS, 6],
    [READY, samples],
  ];
  await record(20 * MINUTE_MS, ready(6), of);
  await record(19 * MINUTE_MS, ready(0), of);
  await record(18 * MINUTE_MS, ready(0), of);
  const now = rig.clock.now();
  const faults = [{ kind: 'unready', agent: 'gpu-1', worker: 'vllm/0' } as const];
  expect(await rig.store.call(readFaultStarts, { faults, now })).toEqual([now - 19 * MINUTE_MS]);
});
