/** The status of a host: one for all pages, and what is said of a host that is away does not depend on its workers. */
import { expect, test } from 'vitest';
import type { WorkerRow } from '../../../../../../router/dashboard/api/readings.ts';
import {
  hostStatus,
  lastSeen,
} from '../../../../../../router/dashboard/pages/operator/fleet/host-status.ts';
import type { Agent } from '../../../../../../shared/api/agents.ts';

const SINCE = '2026-11-21T08:00:00.000Z';
const ID = 'agt_1';

function host(change: Partial<Agent> = {}): Agent {
  return {
    id: ID,
    name: 'gpu-1',
    region: 'global',
    state: 'enrolled',
    connected: true,
    created: SINCE,
    last_seen: SINCE,
    absence: null,
    ...change,
  };
}

/** Of a worker that is ready, by the state of its breaker. */
const SHARES = { ready: 1, returning: 0.5, open: 0, probing: 0 } as const;

function row(
  state: keyof typeof SHARES | 'joining' | 'unready' | 'draining',
  worker: Partial<WorkerRow['worker']> = {},
): WorkerRow {
  const isIn = state in SHARES;
  const figures = {
    phase: isIn ? 'ready' : state === 'unready' ? 'joining' : state,
    share: isIn ? SHARES[state as keyof typeof SHARES] : 1,
    running: 0,
    waiting: 0,
    in_flight: 0,
    alarms: [],
    notes: [],
  };
  return { state, worker: { agent: ID, ...figures, ...worker } } as unknown as WorkerRow;
}

const READY = row('ready');
const nameOf = (agent: Agent, rows: readonly WorkerRow[] | null) => hostStatus(agent, rows).name;

test.each([
  ['lost', 'Lost'],
  ['stopped', 'Stopped'],
  ['drained', 'Stopped'],
  ['disconnected', 'Disconnected'],
] as const)('a host that is %s is not ready, whatever is still listed of it', (reason, name) => {
  const away = host({ connected: false, absence: { reason, since: SINCE } });
  expect(hostStatus(away, [READY])).toMatchObject({ name, since: SINCE });
  expect(hostStatus(away, [READY]).tone).not.toBe('good');
});

test('a host that is away was last seen when its last link ended, whatever was recorded before', () => {
  const ended = '2026-11-21T08:00:40.000Z';
  expect(lastSeen(host())).toBe(SINCE);
  expect(lastSeen(host({ connected: false, absence: { reason: 'lost', since: ended } }))).toBe(
    ended,
  );
  expect(lastSeen(host({ connected: false, last_seen: null }))).toBeNull();
});

test('a host that has never joined, that is revoked, or that another router may have, says so', () => {
  expect(nameOf(host({ connected: false, state: 'enrolling' }), [])).toBe('Waiting to join');
  expect(nameOf(host({ connected: true, state: 'revoked' }), [READY])).toBe('Revoked');
  expect(nameOf(host({ connected: false, absence: null }), [READY])).toBe('Not connected');
});

test('the status of a connected host is that of its workers', () => {
  const of = (...rows: WorkerRow[]) => nameOf(host(), rows);
  expect(of()).toBe('Connected');
  expect(of(READY)).toBe('Ready');
  expect(of(row('joining'))).toBe('Starting');
  expect(of(row('unready'))).toBe('Not ready');
  expect(of(READY, row('open'))).toBe('Needs attention');
  expect(of(READY, row('ready', { share: 0.5 }))).toBe('Needs attention');
  expect(of(row('draining', { running: 1 }))).toBe('Draining');
  expect(of(row('draining'))).toBe('Drained');
  expect(of(READY, row('draining'))).toBe('Partly draining');
});

test('a host is not ready only if none of its workers gets requests and one of them should', () => {
  const of = (...rows: WorkerRow[]) => nameOf(host(), rows);
  expect(of(row('open'))).toBe('Not ready');
  expect(of(row('probing'))).toBe('Not ready');
  expect(of(row('draining'), row('unready'))).toBe('Not ready');
  expect(of(row('returning'))).toBe('Needs attention');
  expect(of(row('returning'), row('open'))).toBe('Needs attention');
  expect(of(row('draining'), row('joining'))).toBe('Partly draining');
  expect(of(READY, row('joining'))).toBe('Needs attention');
});

test('nothing is said of the workers of a connected host before they are read', () => {
  expect(hostStatus(host(), null)).toMatchObject({ name: 'Connected', tone: 'neutral', note: '' });
  expect(hostStatus(host(), []).note).toBe('Its agent has found no engine yet');
  expect(nameOf(host({ connected: false, state: 'enrolling' }), null)).toBe('Waiting to join');
});

test('workers of other hosts do not count', () => {
  expect(nameOf(host(), [READY, row('open', { agent: 'agt_2' })])).toBe('Ready');
  expect(nameOf(host(), [row('ready', { agent: 'agt_2' })])).toBe('Connected');
});

test('the note says how many workers are ready, or how many requests a drain waits for', () => {
  expect(hostStatus(host(), [READY]).note).toBe('1 of 1 worker ready');
  expect(hostStatus(host(), [READY, row('open')]).note).toBe('1 of 2 workers ready');
  expect(hostStatus(host(), [row('draining', { running: 1 })]).note).toBe(
    'It gets no new requests, and 1 request still runs',
  );
});
