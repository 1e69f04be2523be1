/** Since when and why workers drain or have an open breaker. */
import { expect, test } from 'vitest';
import {
  actionsOfStandings,
  standingReasons,
} from '../../../../../../router/dashboard/pages/operator/fleet/standing-reasons.ts';
import type { AgentEvent } from '../../../../../../shared/api/agents.ts';

/** `minute`: of an hour, so that later events have later times. */
function event(minute: number, action: string, worker: string | null = null): AgentEvent {
  const created = `2026-11-21T08:${String(minute).padStart(2, '0')}:00.000Z`;
  const rest = { router: null, detail: null, before: null, count: 1, last: created };
  return { id: `hev_${minute}`, created, action, worker, actor: 'Ada', ...rest };
}

const DRAINING = { phase: 'draining', breaker: 'closed' } as const;

test('a drained host tells who drained it and when, once for all of its workers', () => {
  const workers = [
    { name: 'one', ...DRAINING },
    { name: 'two', ...DRAINING },
  ];
  const events = [
    event(9, 'agent.joined'),
    event(5, 'agent.drain'),
    event(1, 'worker.drain', 'one'),
  ];
  expect(standingReasons(workers, events)).toEqual([
    {
      workers: ['one', 'two'],
      kind: 'drain',
      since: '2026-11-21T08:05:00.000Z',
      why: 'Drained by Ada',
    },
  ]);
  // The second one is drained by its own.
  expect(standingReasons(workers, [event(6, 'worker.drain', 'two'), ...events])).toMatchObject([
    { workers: ['one'], since: '2026-11-21T08:05:00.000Z' },
    { workers: ['two'], since: '2026-11-21T08:06:00.000Z' },
  ]);
});

test('a drain tells the note that was left on it', () => {
  const drain = { ...event(5, 'worker.drain', 'one'), detail: 'A fan is replaced' };
  expect(standingReasons([{ name: 'one', ...DRAINING }], [drain])).toMatchObject([
    { why: 'Drained by Ada: A fan is replaced' },
  ]);
});

test('an agent that stops drains its workers itself', () => {
  expect(
    standingReasons([{ name: 'one', ...DRAINING }], [event(5, 'agent.stopping')]),
  ).toMatchObject([{ why: 'Its agent is stopping' }]);
});

test('an open breaker tells since when, and workers that are well tell nothing', () => {
  const events = [event(7, 'worker.breaker-opened', 'one'), event(5, 'agent.drain')];
  expect(
    standingReasons([{ name: 'one', phase: 'ready', breaker: 'probing' }], events),
  ).toMatchObject([{ kind: 'breaker', since: '2026-11-21T08:07:00.000Z' }]);
  expect(standingReasons([{ name: 'one', phase: 'ready', breaker: 'closed' }], events)).toEqual([]);
});

test('what has ended is no reason', () => {
  const worker = { name: 'one', phase: 'draining', breaker: 'open' } as const;
  const ended = [event(9, 'agent.undrain'), event(8, 'worker.breaker-closed', 'one')];
  const begun = [event(7, 'worker.breaker-opened', 'one'), event(5, 'agent.drain')];
  expect(standingReasons([worker], [...ended, ...begun])).toEqual([]);
  expect(standingReasons([worker], [])).toEqual([]);
  expect(standingReasons([worker], [event(8, 'agent.started'), event(5, 'agent.drain')])).toEqual(
    [],
  );
  // Those of another worker are none either.
  expect(standingReasons([worker], [event(5, 'worker.drain', 'two')])).toEqual([]);
});

test('only events that can be the cause are asked for, and none of a worker that is well', () => {
  expect(actionsOfStandings({ phase: 'ready', breaker: 'closed' })).toEqual([]);
  const [drain = []] = actionsOfStandings({ phase: 'draining', breaker: 'closed' });
  expect(drain).toEqual(expect.arrayContaining(['agent.drain', 'worker.drain', 'agent.started']));
  expect(drain).not.toContain('agent.joined');
  expect(actionsOfStandings({ phase: 'draining', breaker: 'probing' })).toEqual([
    drain,
    ['worker.breaker-opened', 'worker.breaker-closed'],
  ]);
});

test('the order of events does not matter', () => {
  const events = [event(5, 'agent.drain'), event(9, 'agent.undrain'), event(7, 'agent.drain')];
  expect(standingReasons([{ name: 'one', ...DRAINING }], events)).toEqual([]);
});
