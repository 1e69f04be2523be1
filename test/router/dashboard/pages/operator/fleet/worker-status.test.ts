/** The status of a worker, and what it means for requests. */
import { expect, test } from 'vitest';
import type { WorkerRow } from '../../../../../../router/dashboard/api/readings.ts';
import { workerStatus } from '../../../../../../router/dashboard/pages/operator/fleet/worker-status.ts';

function row(state: WorkerRow['state'], running = 0): WorkerRow {
  return { state, worker: { running, waiting: 0, in_flight: 0 } } as unknown as WorkerRow;
}

test('a worker that drains says how many requests still run, and is drained without any', () => {
  expect(workerStatus(row('draining', 2))).toEqual({
    name: 'Draining',
    tone: 'warn',
    means: 'It gets no new requests, and 2 requests still run.',
  });
  expect(workerStatus(row('draining', 1)).means).toContain('1 request still runs');
  expect(workerStatus(row('draining')).name).toBe('Drained');
});

test('only a worker that gets new requests is shown as good', () => {
  const states = ['joining', 'unready', 'gone', 'open', 'probing', 'returning'] as const;
  for (const state of states) expect(workerStatus(row(state)).tone).not.toBe('good');
  expect(workerStatus(row('ready')).tone).toBe('good');
});
