/** How far the drain of a host is: the requests on all of its workers. */
import { expect, test } from 'vitest';
import {
  drainChoicesOf,
  drainProgressOf,
  hostsToChange,
} from '../../../../../../router/dashboard/pages/operator/fleet/drain-progress.ts';
import type { WorkerEntry } from '../../../../../../shared/api/workers.ts';

function worker(agent: string, more: Partial<WorkerEntry>): WorkerEntry {
  const figures = { running: 0, waiting: 0, in_flight: 0, phase: 'draining' };
  return { agent, ...figures, ...more } as WorkerEntry;
}

test('requests of all routers are counted, and those that the agent has not reported yet', () => {
  const workers = [
    worker('a', { running: 3, waiting: 2, in_flight: 1 }),
    worker('a', { running: 1, in_flight: 4 }),
    worker('b', { running: 9 }),
  ];
  expect(drainProgressOf('a', workers)).toEqual({ left: 9, isDraining: true });
});

test('a host drains when all of its workers do, and one without workers has no progress', () => {
  const workers = [worker('a', {}), worker('a', { phase: 'ready' })];
  expect(drainProgressOf('a', workers)).toEqual({ left: 0, isDraining: false });
  expect(drainProgressOf('b', workers)).toEqual({ left: null, isDraining: false });
});

test('a host that drains is not drained again, and one that does not drain has no drain to end', () => {
  const ready = worker('a', { phase: 'ready' });
  const draining = worker('a', {});
  expect(drainChoicesOf('a', [ready])).toEqual({ drain: true, undrain: false });
  expect(drainChoicesOf('a', [draining, worker('b', { phase: 'ready' })])).toEqual({
    drain: false,
    undrain: true,
  });
  expect(drainChoicesOf('a', [ready, draining])).toEqual({ drain: true, undrain: true });
  expect(drainChoicesOf('a', [])).toEqual({ drain: true, undrain: false });
});

test('of several hosts, only those that drain have a drain to end, and only the others are drained', () => {
  const hosts = ['draining', 'partly', 'ready'].map((id) => ({ id }));
  const workers = [
    worker('draining', {}),
    worker('partly', {}),
    worker('partly', { phase: 'ready' }),
    worker('ready', { phase: 'ready' }),
  ];
  const changed = (what: 'drain' | 'undrain') =>
    hostsToChange(what, hosts, workers).map(({ id }) => id);
  expect(changed('undrain')).toEqual(['draining', 'partly']);
  expect(changed('drain')).toEqual(['partly', 'ready']);
});
