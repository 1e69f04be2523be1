/** What happened to a host, in words: every action has some, whatever is known of it. */
import { expect, test } from 'vitest';
import { eventInWords } from '../../../../../../router/dashboard/pages/operator/fleet/host-event-words.ts';
import type { AgentEvent } from '../../../../../../shared/api/agents.ts';
import { HOST_ACTIONS } from '../../../../../../shared/host-events.ts';

const AT = '2026-11-26T16:00:00.000Z';
const EVENT: AgentEvent = {
  id: 'hev_1',
  created: AT,
  action: 'agent.joined',
  worker: null,
  actor: null,
  router: 'rtr_1',
  detail: 'x',
  before: null,
  count: 1,
  last: AT,
};

test('every action has words, and one of a later version has its name', () => {
  for (const action of HOST_ACTIONS) {
    const words = eventInWords({ ...EVENT, action });
    expect(words).toMatch(/^[A-Z]/);
    expect(words).not.toMatch(/undefined|null/);
  }
  for (const action of ['worker.teleported', 'constructor']) {
    expect(eventInWords({ ...EVENT, action })).toBe(action);
  }
});

test('a start names the version before if it was another, an end of a link its reason', () => {
  const started = { ...EVENT, action: 'worker.restarted', detail: 'vllm 0.12' };
  expect(eventInWords(started)).toBe('Engine restarted: vllm 0.12');
  expect(eventInWords({ ...started, before: 'vllm 0.11' })).toBe(
    'Engine restarted: vllm 0.12, before vllm 0.11',
  );
  expect(eventInWords({ ...EVENT, action: 'agent.left', detail: 'silent' })).toBe(
    'Disconnected from a router: the agent did not answer',
  );
});

test('a loss of a host has its reason, and a return says how long the host was away', () => {
  expect(eventInWords({ ...EVENT, action: 'agent.lost', detail: 'silent' })).toBe(
    'Lost: no router is connected, and the agent did not answer',
  );
  const returned = { ...EVENT, action: 'agent.returned', detail: '2026-11-26T13:55:00.000Z' };
  expect(eventInWords(returned)).toBe('Returned after 2 h 5 min');
});

test.each([
  ['agent.drain', 'Drained the host'],
  ['worker.drain', 'Drained a worker'],
])('%s has the note that was left on it', (action, done) => {
  expect(eventInWords({ ...EVENT, action, detail: 'A fan' })).toBe(`${done}: A fan`);
  expect(eventInWords({ ...EVENT, action, detail: null })).toBe(done);
});
