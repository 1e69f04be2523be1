/** What the charts of a history mark. */
import { expect, test } from 'vitest';
import {
  marksOfAlarms,
  marksOfHost,
  marksOfIncidents,
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
    { at: AT, label: 'Drained', tone: 'warn', text: 'Drained the agent' },
    {
      at: AT,
      label: 'Breaker open',
      tone: 'bad',
      text: 'Breaker opened: the worker kept failing (vllm)',
    },
  ]);
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

test('an alarm is marked if it is known since when it holds', () => {
  const alarm = {
    kind: 'host_lost',
    severity: 'warning' as const,
    message: 'A host is lost.',
    page: 'fleet' as const,
    count: null,
    last: null,
  };
  expect(marksOfAlarms([alarm, { ...alarm, since: null }])).toEqual([]);
  expect(marksOfAlarms([{ ...alarm, since: AT }])).toEqual([
    { at: AT, label: 'Alarm', tone: 'warn', text: 'Alarm: A host is lost.' },
  ]);
});
