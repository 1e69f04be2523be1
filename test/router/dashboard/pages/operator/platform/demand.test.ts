/** The demand for each model on the operators' first page. */
import { expect, test } from 'vitest';
import { demandByModel } from '../../../../../../router/dashboard/pages/operator/platform/demand.ts';
import type { WorkerEntry } from '../../../../../../shared/api/workers.ts';
import { historyOf } from '../fleet/fleet-history.ts';

const IDLE = {
  connected: 1,
  ready: 1,
  slots: 4,
  running: 0,
  waiting: 0,
  kv_use: 0,
  gpus: 0,
  gpu_use: null,
  gpu_memory_use: null,
};

/** `loads`: the requests that run on four slots in each ten minutes. */
function peakOf(loads: readonly number[], minutes: number, answered = 1): number | null {
  const history = historyOf({
    minutes,
    bucketMinutes: 10,
    model: 'lab/one',
    total: { answered },
    points: loads.map((running) => ({ workers: { ...IDLE, running } })),
  });
  return demandByModel([], { all: history, global: history })[0]?.peak ?? null;
}

test('the peak is the busiest ten minutes that have passed, so that it does not fall', () => {
  expect(peakOf([1, 3, 2], 31)).toBe(0.75);
  // The mean of the ten minutes that run may still fall.
  expect(peakOf([1, 3, 4], 29)).toBe(0.75);
  expect(peakOf([4], 9)).toBeNull();
});

test('a model without requests has no peak', () => {
  expect(peakOf([1, 3, 2], 31, 0)).toBeNull();
});

test('a worker whose engine hangs still counts for the models that it served, and is not ready', () => {
  const worker = { region: 'eu', breaker: 'closed', slots: 4, running: 1, last_ready: null };
  const ready = { ...worker, phase: 'ready', models: ['lab/one'] } as unknown as WorkerEntry;
  const last = { at: '2026-11-29T08:00:00.000Z', models: ['lab/one', 'lab/two'] };
  const hung = { ...ready, phase: 'joining', models: [], last_ready: last } as WorkerEntry;
  const rows = demandByModel([ready, hung], {});
  expect(
    rows.map(({ model, ready: count, workers, slots }) => [model, count, workers, slots]),
  ).toEqual([
    ['lab/two', 0, 1, 0],
    ['lab/two', 0, 1, 0],
    ['lab/one', 1, 2, 4],
    ['lab/one', 1, 2, 4],
  ]);
});

test('a region that has no ready worker for a model comes first, and Global has those of all regions', () => {
  const worker = { breaker: 'closed', slots: 4, running: 0, last_ready: null, models: ['lab/one'] };
  const inEu = { ...worker, region: 'eu', phase: 'ready' } as unknown as WorkerEntry;
  // The hosts of US are gone, and its history still has the model.
  const us = historyOf({
    minutes: 60,
    bucketMinutes: 10,
    model: 'lab/one',
    total: { answered: 2, unavailable: 3 },
    points: [],
  });
  const rows = demandByModel([inEu, inEu], { us, all: us });
  expect(
    rows.map(({ region, ready, slots, requests, unserved }) => [
      region,
      ready,
      slots,
      requests,
      unserved,
    ]),
  ).toEqual([
    ['us', 0, 0, 5, 3],
    ['global', 2, 8, null, null],
    ['eu', 2, 8, null, null],
  ]);
});
