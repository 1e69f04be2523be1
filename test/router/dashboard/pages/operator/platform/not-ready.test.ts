/** Why workers are not ready, as the operators' first page says it. */
import { expect, test } from 'vitest';
import { notReadyInWords } from '../../../../../../router/dashboard/pages/operator/platform/not-ready.ts';
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
  expect(notReadyInWords([worker('first')], [])).toBe('All are ready');
});
