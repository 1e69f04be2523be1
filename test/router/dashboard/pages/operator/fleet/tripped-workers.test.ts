/** Workers whose breaker is not closed, in words. */
import { expect, test } from 'vitest';
import type { WorkerRow } from '../../../../../../router/dashboard/api/readings.ts';
import {
  trippedOf,
  trippedWords,
} from '../../../../../../router/dashboard/pages/operator/fleet/tripped-workers.ts';

function row(name: string, state: WorkerRow['state']): WorkerRow {
  return { state, worker: { name } } as WorkerRow;
}

const namesOf = (rows: readonly WorkerRow[]) => rows.map(({ worker }) => worker.name);

test('workers are told that get no requests or few because they kept failing', () => {
  const states = [
    'ready',
    'open',
    'unready',
    'probing',
    'draining',
    'returning',
    'joining',
  ] as const;
  const rows = states.map((state) => row(state, state));
  expect(namesOf(trippedOf(rows))).toEqual(['open', 'probing', 'returning']);
});

test('while a probe runs, the breaker is open', () => {
  for (const state of ['open', 'probing'] as const) {
    expect(trippedWords([row('vllm', state)], 2)).toEqual({
      tone: 'bad',
      title: 'The breaker of worker vllm is open',
      means: 'This router probes it by itself, and sends it no requests until a probe succeeds.',
    });
  }
});

test('several open breakers are counted, without workers that recover', () => {
  const tripped = [row('one', 'open'), row('two', 'returning'), row('three', 'probing')];
  expect(trippedWords(tripped, 4)).toMatchObject({
    tone: 'bad',
    title: 'The breakers of 2 of 4 workers are open',
  });
});

test('a worker that recovers gets requests', () => {
  expect(trippedWords([row('vllm', 'returning')], 1)).toEqual({
    tone: 'warn',
    title: 'Worker vllm is recovering',
    means: 'It gets more slots back with each request that succeeds.',
  });
  const both = [row('one', 'returning'), row('two', 'returning')];
  expect(trippedWords(both, 3).title).toBe('2 of 3 workers are recovering');
});
