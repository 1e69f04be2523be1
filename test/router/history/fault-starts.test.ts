/** Since when models and workers have a fault, by what routers have recorded. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readFaultStarts } from '../../../router/history/fault-starts.ts';
import type { Fault } from '../../../router/history/faults.ts';
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
import type { Region } from '../../../shared/region.ts';
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

const inRegion = (region: Region) => (recorder: HistoryRecorder) => recorder.model(region, MODEL);

function ofModel(recorder: HistoryRecorder): OpenCell | null {
  return inRegion('global')(recorder);
}

const served = (samples: number): Counts => [
  [LISTENED, 6],
  [SERVED, samples],
];

/** How long ago the fault began. Null: nothing is recorded of it. */
async function ageOf(kind: 'unserved' | 'degraded'): Promise<number | null> {
  const now = rig.clock.now();
  const faults: readonly Fault[] =
    kind === 'degraded'
      ? [{ kind, model: MODEL, region: 'global' }]
      : [{ kind, model: MODEL, region: null }];
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

test('a fault that the newest minute does not have yet has begun just now', async () => {
  await record(2 * MINUTE_MS, served(6));
  expect(await ageOf('unserved')).toBe(0);
  expect(await ageOf('degraded')).toBe(0);
});

test('a fault of which nothing is recorded has no start', async () => {
  expect(await ageOf('unserved')).toBeNull();
  expect(await ageOf('degraded')).toBeNull();
});

test('a model is down everywhere since the last region failed', async () => {
  await record(5 * DAY_MS, served(6), inRegion('eu'));
  for (const ago of [DAY_MS, 2 * MINUTE_MS]) await record(ago, served(0), inRegion('eu'));
  await record(2 * MINUTE_MS, served(6), inRegion('us'));
  expect(await ageOf('unserved')).toBe(0);
  await record(MINUTE_MS, served(3), inRegion('us'));
  expect(await ageOf('unserved')).toBe(MINUTE_MS / 2);
});

test('a region in which no router takes requests any more does not end an outage', async () => {
  await record(40 * MINUTE_MS, served(6), inRegion('us'));
  await record(30 * MINUTE_MS, served(6), inRegion('eu'));
  await record(29 * MINUTE_MS, served(0), inRegion('eu'));
  await record(MINUTE_MS, served(0), inRegion('eu'));
  expect(await ageOf('unserved')).toBe(29 * MINUTE_MS);
});

test('a region in which no router ran for some hours long ago does not lengthen an outage', async () => {
  await record(10 * DAY_MS, served(6), inRegion('eu'));
  for (let ago = 9 * 24; ago > 0; ago--) await record(ago * HOUR_MS, served(0), inRegion('eu'));
  for (let ago = 9 * 24; ago > 52; ago--) await record(ago * HOUR_MS, served(6), inRegion('us'));
  for (let ago = 47; ago > 0; ago--) await record(ago * HOUR_MS, served(0), inRegion('us'));
  for (const region of ['eu', 'us'] as const) await record(MINUTE_MS, served(0), inRegion(region));
  expect(await ageOf('unserved')).toBeLessThanOrEqual(53 * HOUR_MS);
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

test('a missed sample and a few requests that fail are no degraded service', async () => {
  for (let ago = 40; ago > 8; ago--) {
    const counts = ago % 10 === 0 ? [...served(5), [FAILED, 1] as const] : served(6);
    await record(ago * MINUTE_MS, counts);
  }
  for (let ago = 8; ago > 0; ago--) await record(ago * MINUTE_MS, served(5));
  // With the third of these, and the one before them, more than half a minute of ten was missed.
  expect(await ageOf('degraded')).toBe(6 * MINUTE_MS);
});

test('restarts of days ago do not lengthen a degraded service', async () => {
  for (let hour = 24 * 6; hour > 1; hour--) await record(hour * HOUR_MS, served(5));
  for (let ago = 10; ago > 0; ago--) await record(ago * MINUTE_MS, served(3));
  expect(await ageOf('degraded')).toBeLessThanOrEqual(10 * MINUTE_MS);
});

test.each([
  ['gpu-1', 'vllm/0'],
  ['rack/1', 'vllm'],
])('a worker is not ready since its last ready sample: %s/%s', async (host, name) => {
  const agent = mintId('agent', rig.clock, rig.random) as AgentId;
  await rig.sql(
    `INSERT INTO agents (id, name, region, state, created) VALUES ('${agent}', '${host}', 'eu', 'enrolled', 1)`,
  );
  const of = (recorder: HistoryRecorder) => recorder.worker({ agent, name, region: 'eu' });
  const ready = (samples: number): Counts => [
    [WORKERS, 6],
    [READY, samples],
  ];
  await record(20 * MINUTE_MS, ready(6), of);
  await record(19 * MINUTE_MS, ready(0), of);
  await record(18 * MINUTE_MS, ready(0), of);
  const now = rig.clock.now();
  const faults = [{ kind: 'unready', name: `${host}/${name}` } as const];
  expect(await rig.store.call(readFaultStarts, { faults, now })).toEqual([now - 19 * MINUTE_MS]);
});

/** Enrols a host with a worker. Returns its cell, and how long ago its fault began. */
async function enrolled(host: string) {
  const agent = mintId('agent', rig.clock, rig.random) as AgentId;
  await rig.sql(
    `INSERT INTO agents (id, name, region, state, created) VALUES ('${agent}', '${host}', 'eu', 'enrolled', 1)`,
  );
  const of = (recorder: HistoryRecorder) => recorder.worker({ agent, name: 'vllm', region: 'eu' });
  return {
    seen: async (ago: number, ready: number, all: number) =>
      await record(
        ago,
        [
          [WORKERS, all],
          [READY, ready],
        ],
        of,
      ),
    age: async () => {
      const now = rig.clock.now();
      const faults = [{ kind: 'unready', name: `${host}/vllm` } as const];
      const [start = null] = await rig.store.call(readFaultStarts, { faults, now });
      return start === null ? null : now - start;
    },
  };
}

test('a worker that one of two routers sees as not ready has been so since both saw it ready', async () => {
  const { seen, age } = await enrolled('gpu-9');
  for (let ago = 40; ago > 0; ago--) await seen(ago * MINUTE_MS, ago > 30 ? 12 : 6, 12);
  expect(await age()).toBe(30 * MINUTE_MS);
});

test('a worker that was interrupted in each minute is down since its last good sample', async () => {
  const { seen, age } = await enrolled('gpu-11');
  for (let ago = 180; ago > 1; ago--) await seen(ago * MINUTE_MS, 5, 6);
  await seen(MINUTE_MS, 0, 6);
  expect(await age()).toBeLessThan(2 * MINUTE_MS);
});

test('short interruptions in the hours before do not lengthen the time in which a worker is down', async () => {
  const { seen, age } = await enrolled('gpu-10');
  for (let ago = 9 * 24; ago > 72; ago--) await seen(ago * HOUR_MS, 355, 360);
  for (let ago = 72; ago > 0; ago--) await seen(ago * HOUR_MS, 0, 360);
  await seen(MINUTE_MS, 0, 6);
  expect(await age()).toBeLessThanOrEqual(73 * HOUR_MS);
  expect(await age()).toBeGreaterThan(71 * HOUR_MS);
});
