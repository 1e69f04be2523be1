/** What the charts of a history mark. */
import { expect, test } from 'vitest';
import {
  type MarkedAlarm,
  marksOfAlarms,
  marksOfHost,
  marksOfIncidents,
  marksOfLosses,
  newestFirst,
} from '../../../../../../router/dashboard/pages/operator/history/marks.ts';
import type { AgentEvent } from '../../../../../../shared/api/agents.ts';
import type { Incident } from '../../../../../../shared/api/incidents.ts';

const AT = '2026-11-21T08:00:00.000Z';

function event(action: string, change: Partial<AgentEvent> = {}): AgentEvent {
  const nobody = { actor: null, router: null, detail: null, before: null };
  return {
    id: 'hev_1',
    created: AT,
    action,
    worker: null,
    count: 1,
    last: AT,
    ...nobody,
    ...change,
  };
}

test('what happened to a host is marked with its words; what a later version records is not', () => {
  const events = [
    event('agent.drain'),
    event('worker.breaker-opened', { worker: 'vllm' }),
    event('worker.found', { worker: 'vllm', detail: 'vllm 0.25' }),
    event('agent.polished'),
    event('constructor'),
  ];
  expect(marksOfHost(events)).toEqual([
    { at: AT, label: 'Drained', tone: 'warn', text: 'Drained the host' },
    {
      at: AT,
      label: 'Breaker open',
      tone: 'bad',
      text: 'Breaker opened: the worker kept failing (vllm)',
    },
  ]);
});

/** An event some seconds after eight o'clock. */
function eventAt(seconds: number, action: string, change: Partial<AgentEvent> = {}): AgentEvent {
  const created = new Date(Date.parse(AT) + 1_000 * seconds).toISOString();
  const id = `hev_${action} ${seconds} ${change.router ?? ''}`;
  return event(action, { id, created, last: created, ...change });
}

function shown(events: readonly AgentEvent[]): string[] {
  // The API lists the newest event first.
  const descending = events.toSorted((a, b) => (a.created < b.created ? 1 : -1));
  return marksOfHost(descending)
    .toReversed()
    .map(({ label, tone }) => `${label} (${tone})`);
}

test('a host that was back within a minute has restarted, and is not marked as lost', () => {
  const restart = [
    eventAt(0, 'agent.stopping'),
    eventAt(1, 'agent.left', { router: 'rtr_1', detail: 'closed' }),
    eventAt(2, 'agent.left', { router: 'rtr_2', detail: 'closed' }),
    eventAt(7, 'agent.started'),
    eventAt(8, 'agent.joined', { router: 'rtr_1' }),
  ];
  const second = eventAt(9, 'agent.joined', { router: 'rtr_2' });
  expect(shown([...restart, second])).toEqual([
    'Restarted (neutral)',
    'Restarted (neutral)',
    'Restarted (neutral)',
    'Agent started (neutral)',
    'Connected (neutral)',
    'Connected (neutral)',
  ]);
  // Without its second connection, one end is still a loss.
  expect(shown(restart).slice(0, 3)).toEqual([
    'Restarted (neutral)',
    'Restarted (neutral)',
    'Disconnected (bad)',
  ]);
});

test('a link that came back is no restart, and one that came back late or often is a loss', () => {
  const left = eventAt(0, 'agent.left', { detail: 'closed' });
  expect(shown([left, eventAt(20, 'agent.joined')])[0]).toBe('Reconnected (neutral)');
  expect(shown([left, eventAt(61, 'agent.joined')])[0]).toBe('Disconnected (bad)');
  expect(shown([{ ...left, count: 3 }, eventAt(20, 'agent.joined')])[0]).toBe('Disconnected (bad)');
  expect(shown([{ ...left, detail: 'replaced' }])).toEqual(['Reconnected (neutral)']);
});

test('hosts that were lost are marked when they were lost and when they returned', () => {
  const host = { agent: 'agt_1', name: 'gpu-1', reason: 'silent', lost: AT };
  expect(marksOfLosses([{ ...host, returned: '2026-11-21T08:12:30.000Z' }])).toEqual([
    {
      at: AT,
      label: 'Lost',
      tone: 'bad',
      text: 'The host "gpu-1" was lost: the agent did not answer',
    },
    {
      at: '2026-11-21T08:12:30.000Z',
      label: 'Returned',
      tone: 'neutral',
      text: 'The host "gpu-1" returned after 12 min',
    },
  ]);
  expect(marksOfLosses([{ ...host, returned: null }])).toHaveLength(1);
});

test('an incident is marked where it affects the model and the region', () => {
  const incident: Incident = {
    id: 'inc_1',
    title: 'Slow answers',
    state: 'resolved',
    models: ['a/b'],
    regions: [],
    created: AT,
    resolved: '2026-11-21T09:00:00.000Z',
    updates: [],
  };
  expect(marksOfIncidents([incident]).map(({ label }) => label)).toEqual(['Incident', 'Resolved']);
  expect(marksOfIncidents([incident], { model: 'a/b', region: 'eu' })).toHaveLength(2);
  expect(marksOfIncidents([incident], { model: 'a/c' })).toEqual([]);
  expect(marksOfIncidents([{ ...incident, resolved: null, models: [] }], { model: 'a/c' })).toEqual(
    [{ at: AT, label: 'Incident', tone: 'bad', text: 'Incident: Slow answers' }],
  );
});

test('an alarm is marked when it began, and when it ended', () => {
  const alarm: MarkedAlarm = {
    kind: 'host_lost',
    severity: 'warning',
    message: 'A host is lost.',
    page: 'fleet',
    routers: [],
    began: AT,
    ended: null,
  };
  const beginning = { at: AT, label: 'Alarm', tone: 'warn', text: 'Alarm: A host is lost.' };
  expect(marksOfAlarms([alarm])).toEqual([beginning]);
  const ended = '2026-11-21T09:00:00.000Z';
  expect(marksOfAlarms([{ ...alarm, ended }])).toEqual([
    beginning,
    { at: ended, label: 'Alarm over', tone: 'neutral', text: 'The alarm is over: A host is lost.' },
  ]);
});

test('marks of one instant have one order, whichever list was loaded first', () => {
  const later = { at: '2026-11-21T08:00:00.001Z', label: 'C', tone: 'bad' as const, text: 'c' };
  const marks = ['b', 'a'].map((text) => ({ at: AT, label: text, tone: 'bad' as const, text }));
  for (const given of [
    [...marks, later],
    [later, ...marks.toReversed()],
  ]) {
    expect(given.toSorted(newestFirst).map(({ text }) => text)).toEqual(['c', 'a', 'b']);
  }
});
