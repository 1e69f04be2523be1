/** Why workers are not ready, as the operators' first page says it. */
import { expect, test } from 'vitest';
import type { WorkerRow } from '../../../../../../router/dashboard/api/readings.ts';
import {
  notReadyInWords,
  readinessInWords,
} from '../../../../../../router/dashboard/pages/operator/platform/not-ready.ts';
import type { WorkerEntry } from '../../../../../../shared/api/workers.ts';

function worker(name: string, more: Partial<WorkerEntry> = {}): WorkerEntry {
  const idle = { running: 0, waiting: 0, in_flight: 0, phase: 'ready', breaker: 'closed' };
  return { agent_name: 'host', name, ...idle, ...more } as WorkerEntry;
}

test('workers that operators drain are counted, and not named as not ready', () => {
  const drained = worker('second', { phase: 'draining' });
  expect(notReadyInWords([worker('first'), drained], [])).toBe('1 drained');
  const busy = worker('third', { phase: 'draining', running: 2 });
  expect(notReadyInWords([drained, busy], [])).toBe('1 draining, 1 drained');
});

test('the first of the others is named', () => {
  const joining = worker('second', { phase: 'joining' });
  const open = worker('third', { breaker: 'open' });
  expect(notReadyInWords([worker('first'), joining], [])).toBe('Not ready: host/second');
  expect(notReadyInWords([joining, open, worker('fourth', { phase: 'draining' })], [])).toBe(
    '1 drained. Not ready: host/second and 1 more',
  );
  expect(notReadyInWords([worker('first')], [])).toBeNull();
});

test('a ready worker that needs attention is counted beside those that are not ready', () => {
  const row = (state: WorkerRow['state'], name: string, more: Partial<WorkerEntry> = {}) =>
    ({ state, worker: worker(name, { share: 1, alarms: [], notes: [], ...more }) }) as WorkerRow;
  const noted = row('ready', 'first', { notes: ['A note of its agent'] });
  expect(readinessInWords([noted, row('ready', 'second')], [])).toBe('1 needs attention');
  expect(readinessInWords([noted, row('joining', 'third', { phase: 'joining' })], [])).toBe(
    'Not ready: host/third. 1 needs attention',
  );
  expect(readinessInWords([row('ready', 'second')], [])).toBe('All are ready');
});
