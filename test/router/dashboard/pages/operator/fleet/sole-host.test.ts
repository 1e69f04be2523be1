/** The warning before a drain: the models that lose their last ready host. */
import { expect, test } from 'vitest';
import {
  lostWithout,
  unservedInWords,
} from '../../../../../../router/dashboard/pages/operator/fleet/sole-host.ts';
import type { WorkerEntry } from '../../../../../../shared/api/workers.ts';

function worker(agent: string, models: string[], more: Partial<WorkerEntry> = {}): WorkerEntry {
  return {
    agent,
    models,
    phase: 'ready',
    breaker: 'closed',
    share: 1,
    region: 'global',
    ...more,
  } as WorkerEntry;
}

const ofA = ({ agent }: WorkerEntry) => agent === 'a';

test('a model is lost when no worker that stays is ready to serve it', () => {
  const workers = [worker('a', ['shared', 'alone', 'broken', 'tried']), worker('b', ['shared'])];
  workers.push(worker('c', ['alone'], { phase: 'draining' }));
  workers.push(worker('d', ['broken'], { breaker: 'open', share: 0 }));
  workers.push(worker('e', ['tried'], { breaker: 'probing', share: 0 }));
  expect(lostWithout(ofA, workers)).toEqual([
    { model: 'alone', region: null },
    { model: 'broken', region: null },
    { model: 'tried', region: null },
  ]);
});

test('two workers that leave together do not stand in for each other, and two of one host do', () => {
  const workers = [worker('a', ['model']), worker('b', ['model'])];
  expect(lostWithout(() => true, workers)).toEqual([{ model: 'model', region: null }]);
  expect(lostWithout(ofA, workers)).toEqual([]);
  expect(
    lostWithout(
      ({ id }) => id === 'one',
      [worker('a', ['model'], { id: 'one' }), worker('a', ['model'], { id: 'two' })],
    ),
  ).toEqual([]);
});

test('a worker that drains already loses nothing more', () => {
  expect(lostWithout(ofA, [worker('a', ['model'], { phase: 'draining' })])).toEqual([]);
});

test('a region loses a model that only hosts of other regions still serve', () => {
  const workers = [
    worker('a', ['model'], { region: 'eu' }),
    worker('b', ['model'], { region: 'us' }),
  ];
  expect(lostWithout(ofA, workers)).toEqual([{ model: 'model', region: 'eu' }]);
  const further = worker('c', ['model'], { region: 'eu' });
  expect(lostWithout(ofA, [...workers, further])).toEqual([]);
});

test('models that a region alone has no ready worker for are counted there', () => {
  const workers = [
    worker('a', ['shared', 'alone'], { region: 'us', phase: 'draining' }),
    worker('b', ['shared'], { region: 'eu' }),
    worker('c', ['elsewhere']),
  ];
  expect(unservedInWords(workers)).toBe(
    '1 model has no ready worker, 1 model has no ready worker in US',
  );
  // Global organizations are served by hosts of all regions.
  const global = [worker('a', ['shared'], { phase: 'draining' }), ...workers.slice(1)];
  expect(unservedInWords(global)).toBeNull();
});

test('models that no worker is ready to serve are counted, also those that were served before', () => {
  const served = worker('a', ['shared', 'alone']);
  const before = { at: '', models: ['old', 'shared'] };
  expect(unservedInWords([served, worker('b', ['shared'], { phase: 'draining' })])).toBeNull();
  expect(unservedInWords([served, worker('b', ['other'], { phase: 'draining' })])).toBe(
    '1 model has no ready worker',
  );
  for (const breaker of ['open', 'probing'] as const) {
    expect(unservedInWords([served, worker('b', ['other'], { breaker, share: 0 })])).toBe(
      '1 model has no ready worker',
    );
  }
  const returning = worker('b', ['other'], { breaker: 'returning', share: 0.25 });
  expect(unservedInWords([served, returning])).toBeNull();
  expect(unservedInWords([served, worker('b', [], { phase: 'joining', last_ready: before })])).toBe(
    '1 model has no ready worker',
  );
  expect(unservedInWords([worker('b', ['x', 'y'], { phase: 'draining' })])).toBe(
    '2 models have no ready worker',
  );
  expect(unservedInWords([])).toBeNull();
});
