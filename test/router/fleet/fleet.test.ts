/** Which workers a router has, by what the sessions of their agents report. */
import { once } from 'node:events';
import { beforeEach, expect, test } from 'vitest';
import { Fleet } from '../../../router/fleet/fleet.ts';
import { Session } from '../../../router/fleet/session.ts';
import type { AgentId } from '../../../shared/ids.ts';
import { makeLog } from '../../../shared/log.ts';
import { seededRandom } from '../../../shared/random.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { idleEngine } from '../control/dialing-agent.ts';
import { AGENT, openSocketPair } from './socket-pair.ts';

const log = makeLog('test', 'silent');
const clock = new ManualClock();
let fleet: Fleet;

beforeEach(() => {
  fleet = new Fleet({ log, clock, random: seededRandom(1) });
});

async function join(agent: string) {
  const { undo, agent: peer, socket, connection } = await openSocketPair();
  const identity = { ...AGENT, agent: agent as AgentId, name: agent };
  const session = new Session(socket, identity, { connection, clock, log, fleet });
  fleet.join(session);
  const report = (...engines: string[]) =>
    fleet.load(session, { type: 'load', workers: engines.map(idleEngine) });
  return Object.assign(undo, { session, report, peer });
}

function workers(): string[] {
  return [...fleet.workers].map(({ id, phase }) => `${id} ${phase}`);
}

test('a report removes the workers of its agent that it does not name, and no others', async () => {
  await using one = await join('agt_1');
  await using other = await join('agt_2');
  one.report('a', 'b');
  other.report('a', 'b');
  one.report('b', 'c');
  expect(workers()).toEqual(['agt_1/b ready', 'agt_2/a ready', 'agt_2/b ready', 'agt_1/c ready']);
  one.report();
  expect(workers()).toEqual(['agt_2/a ready', 'agt_2/b ready']);
});

test('an agent drains its own workers, and no others', async () => {
  await using one = await join('agt_1');
  await using other = await join('agt_2');
  one.report('a', 'b');
  other.report('a');
  fleet.drain(one.session, 'a');
  expect(workers()).toEqual(['agt_1/a draining', 'agt_1/b ready', 'agt_2/a ready']);
  fleet.drain(one.session, null);
  expect(workers()).toEqual(['agt_1/a draining', 'agt_1/b draining', 'agt_2/a ready']);
});

test('a drained worker gets requests again once an operator ends the drain and its agent is ready', async () => {
  await using one = await join('agt_1');
  one.report('a');
  fleet.drainWorker('agt_1/a');
  // This report was under way when the worker was drained.
  one.report('a');
  expect(workers()).toEqual(['agt_1/a draining']);
  fleet.undrainWorker('agt_1/a');
  expect(workers()).toEqual(['agt_1/a joining']);
  one.report('a');
  expect(workers()).toEqual(['agt_1/a ready']);
});

test('a worker whose engine is lost keeps what it served last, until it is ready again', async () => {
  await using one = await join('agt_1');
  const lost = { ...idleEngine('a'), phase: 'joining' as const, models: [] };
  const reportLost = () => fleet.load(one.session, { type: 'load', workers: [lost] });
  const last = () => [...fleet.workers].map(({ lastReady }) => lastReady);
  reportLost();
  expect(last()).toEqual([null]);
  one.report('a');
  const at = clock.now();
  reportLost();
  clock.advance(1_000);
  reportLost();
  expect(last()).toEqual([{ at, models: new Set(idleEngine('a').models) }]);
  one.report('a');
  expect(last()).toEqual([null]);
  // A drain comes first here, and the engine is lost while it drains.
  fleet.drainWorker('agt_1/a');
  reportLost();
  expect(last()[0]?.models).toEqual(new Set(idleEngine('a').models));
});

test('the end of a drain at another router is known by the report of the agent', async () => {
  await using one = await join('agt_1');
  one.report('a');
  fleet.drainWorker('agt_1/a');
  const workerLoad = { ...idleEngine('a'), phase: 'draining' as const };
  fleet.load(one.session, { type: 'load', workers: [workerLoad] });
  expect(workers()).toEqual(['agt_1/a draining']);
  one.report('a');
  expect(workers()).toEqual(['agt_1/a ready']);
});

test('a report that an agent sends after it has told of a drain ends it', async () => {
  await using one = await join('agt_1');
  one.report('a');
  // The drain ended before the agent's next report, which therefore does not tell of it.
  [...fleet.workers][0]?.refused('draining');
  expect(workers()).toEqual(['agt_1/a draining']);
  one.report('a');
  expect(workers()).toEqual(['agt_1/a ready']);
  fleet.drain(one.session, 'a');
  one.report('a');
  expect(workers()).toEqual(['agt_1/a ready']);
});

test('a second drain does not believe a report that is older than the first', async () => {
  await using one = await join('agt_1');
  one.report('a');
  fleet.drainWorker('agt_1/a');
  fleet.drainWorker('agt_1/a');
  one.report('a');
  expect(workers()).toEqual(['agt_1/a draining']);
});

test('the agent of a worker that does not drain is not told to end a drain', async () => {
  await using one = await join('agt_1');
  one.report('a', 'b');
  const told: unknown[] = [];
  one.peer.on('message', (data: Buffer) => told.push(JSON.parse(data.toString())));
  fleet.undrainWorker('agt_1/a');
  fleet.drainWorker('agt_1/b');
  await once(one.peer, 'message');
  // An agent that is older than `undo` would have taken the first one for a drain.
  expect(told).toEqual([{ type: 'drain', worker: 'b' }]);
});

test('the workers of a session go with it, and come back with the next one', async () => {
  await using old = await join('agt_1');
  await using other = await join('agt_2');
  old.report('a', 'b');
  other.report('a');
  await using next = await join('agt_1');
  expect(workers()).toEqual(['agt_2/a ready']);
  next.report('b');
  // What the old session still says, and its end, change nothing.
  old.report('a');
  fleet.gone(old.session);
  expect(workers()).toEqual(['agt_2/a ready', 'agt_1/b ready']);
  fleet.gone(next.session);
  expect(workers()).toEqual(['agt_2/a ready']);
});
