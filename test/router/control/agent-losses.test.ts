/** Hosts that were lost leave an event, and another when they return, once for all routers. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { z } from 'zod';
import { makeAgentRegistry } from '../../../router/control/agent-registry.ts';
import { lossesTask } from '../../../router/control/agents/losses-task.ts';
import { recordAuditEntry } from '../../../router/control/audit/record.ts';
import { HostEventRecorder } from '../../../router/host-events/recorder.ts';
import type { AgentEventPage, HostLoss } from '../../../shared/api/agents.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.ts';
import type { HostAction } from '../../../shared/host-events.ts';
import { type AgentId, type IncarnationId, mintId } from '../../../shared/ids.ts';
import { makeLog } from '../../../shared/log.ts';
import { seededRandom } from '../../../shared/random.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { enrol } from './enrol.ts';
import { PEPPER, type Rig, startRig } from './rig.ts';

const clock = new ManualClock(Date.UTC(2026, 0, 31, 12));
const random = seededRandom(7);
const ROUTERS = ['rtr_one', 'rtr_two'] as const;
type Router = (typeof ROUTERS)[number];

let rig: Rig;
let recorders: Record<Router, HostEventRecorder>;
beforeAll(async () => {
  rig = await startRig(clock);
  const open = (router: Router) => {
    const log = makeLog('test', 'silent');
    return new HostEventRecorder({ store: rig.store, clock, random, log, router: () => router });
  };
  recorders = { rtr_one: open('rtr_one'), rtr_two: open('rtr_two') };
  for (const router of ROUTERS) {
    await rig.place.sql(
      `insert into incarnations (id, beat, regions, started) values ('${router}', 1, 'global', 0)`,
    );
  }
});
afterAll(async () => {
  for (const recorder of Object.values(recorders)) await recorder[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});
/** So that no test sees the losses of another. */
beforeEach(() => clock.advance(HOUR_MS));

let runs = 0;

async function happens(
  agent: AgentId,
  action: HostAction,
  detail = '',
  at: Router = 'rtr_one',
): Promise<void> {
  const once = action === 'agent.started' ? ([`run ${(runs += 1)}`] as const) : null;
  recorders[at].note({ agent, worker: '', action, detail, once });
  await recorders[at].written();
  clock.advance(1_000);
}

const registry = () => makeAgentRegistry({ store: rig.store, pepper: PEPPER, clock });

/** An agent that is connected to these routers. */
async function joined(name: string, ...routers: readonly Router[]): Promise<AgentId> {
  const enrolled = await enrol(rig, { name });
  const agent = enrolled.id as AgentId;
  await registry().join(enrolled.join_token, name);
  await happens(agent, 'agent.started', '1.0');
  for (const router of routers) await happens(agent, 'agent.joined', '', router);
  return agent;
}

/** The task runs on both routers at once. */
async function look(): Promise<void> {
  await Promise.all(
    ROUTERS.map((router) =>
      lossesTask({
        store: rig.store,
        clock,
        random,
        incarnation: () => router as IncarnationId,
      }).run(),
    ),
  );
}

const TURNS: readonly string[] = ['agent.lost', 'agent.returned'];

async function turnsOf(agent: AgentId) {
  const { body } = await rig.ask('GET', `/api/v1/agents/${agent}/events?limit=1000`);
  const { data } = body as z.infer<typeof AgentEventPage>;
  return data
    .filter(({ action }) => TURNS.includes(action))
    .map(({ action, detail, created }) => [action, detail, created])
    .toReversed();
}

async function lossesSince(from: number, until?: number): Promise<HostLoss[]> {
  const query = new URLSearchParams({ from: iso(from) });
  if (until !== undefined) query.set('until', iso(until));
  const { status, body } = await rig.ask('GET', `/api/v1/agents/losses?${query.toString()}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

const iso = (ms: number) => new Date(ms).toISOString();

test('a host that was lost and came back has one event of each, however often routers look', async () => {
  const agent = await joined('gpu-1', 'rtr_one');
  const lost = clock.now();
  await happens(agent, 'agent.left', 'silent');
  await look();
  expect(await turnsOf(agent)).toEqual([]);
  clock.advance(2 * MINUTE_MS);
  await look();
  await look();
  const loss = ['agent.lost', 'silent', iso(lost)];
  expect(await turnsOf(agent)).toEqual([loss]);
  const listed = { agent, name: 'gpu-1', lost: iso(lost), reason: 'silent' };
  expect(await lossesSince(lost)).toEqual([{ ...listed, returned: null }]);

  clock.advance(10 * MINUTE_MS);
  const returned = clock.now();
  await happens(agent, 'agent.joined');
  await look();
  await look();
  expect(await turnsOf(agent)).toEqual([loss, ['agent.returned', iso(lost), iso(returned)]]);
  const whole = { ...listed, returned: iso(returned) };
  expect(await lossesSince(lost)).toEqual([whole]);
  // A time that has only the return lists the loss as well, and one between them does not.
  expect(await lossesSince(lost + 1)).toEqual([whole]);
  expect(await lossesSince(lost + 1, returned)).toEqual([]);
  expect(await lossesSince(returned + 1)).toEqual([]);

  clock.advance(MINUTE_MS);
  await happens(agent, 'agent.left', 'closed');
  clock.advance(2 * MINUTE_MS);
  await look();
  expect((await turnsOf(agent)).map(([action]) => action)).toEqual([
    'agent.lost',
    'agent.returned',
    'agent.lost',
  ]);
});

test('a host that returned and was lost again before a router looked has both events', async () => {
  const agent = await joined('gpu-2', 'rtr_one');
  await happens(agent, 'agent.left', 'silent');
  clock.advance(2 * MINUTE_MS);
  await look();
  await happens(agent, 'agent.joined', '', 'rtr_two');
  await happens(agent, 'agent.left', 'closed', 'rtr_two');
  clock.advance(2 * MINUTE_MS);
  await look();
  expect((await turnsOf(agent)).map(([action]) => action)).toEqual([
    'agent.lost',
    'agent.returned',
    'agent.lost',
  ]);
});

test('a host that another router is connected to, or that was back within a minute, was not lost', async () => {
  const [linked, quick] = [
    await joined('gpu-3', 'rtr_one', 'rtr_two'),
    await joined('gpu-4', 'rtr_one'),
  ];
  await happens(linked, 'agent.left', 'silent');
  await happens(quick, 'agent.left', 'closed');
  clock.advance(30_000);
  await look();
  await happens(quick, 'agent.joined', '', 'rtr_two');
  clock.advance(2 * MINUTE_MS);
  await registry().seen([linked, quick]);
  await look();
  expect([await turnsOf(linked), await turnsOf(quick)]).toEqual([[], []]);
});

test('a host was lost when the last router that was connected to it last saw it', async () => {
  const agent = await joined('gpu-5', 'rtr_one', 'rtr_two');
  await happens(agent, 'agent.left', 'closed');
  clock.advance(10 * MINUTE_MS);
  const seen = clock.now();
  await registry().seen([agent]);
  // The other router was killed, and has not recorded that its link ended.
  clock.advance(3 * MINUTE_MS);
  await look();
  expect(await turnsOf(agent)).toEqual([['agent.lost', 'closed', iso(seen)]]);
});

test('a host that was drained or told to stop, or whose router stopped, was not lost', async () => {
  const drained = await joined('drained', 'rtr_one');
  const stopped = await joined('stopped', 'rtr_one');
  const routerStopped = await joined('router stopped', 'rtr_one');
  await rig.store.call(recordAuditEntry, {
    id: mintId('audit', clock, random),
    organization: null,
    actor: { kind: 'operator', id: null },
    action: 'agent.drain',
    target: drained,
    details: {},
    address: '',
    request: '',
    created: clock.now(),
  });
  clock.advance(1_000);
  await happens(drained, 'agent.left', 'closed');
  await happens(stopped, 'agent.stopping');
  await happens(stopped, 'agent.left', 'closed');
  await happens(routerStopped, 'agent.left', 'stopping');
  clock.advance(5 * MINUTE_MS);
  await look();
  for (const agent of [drained, stopped, routerStopped]) {
    await happens(agent, 'agent.joined');
    await look();
    expect(await turnsOf(agent)).toEqual([]);
  }
});

test('a host whose link breaks often, but is back within a minute each time, was not lost', async () => {
  const agent = await joined('gpu-6', 'rtr_one');
  for (let nth = 0; nth < 40; nth++) {
    await happens(agent, 'agent.left', 'closed');
    clock.advance(14_000);
    await look();
    await happens(agent, 'agent.joined');
  }
  expect(await turnsOf(agent)).toEqual([]);
});

test('a host that a router had all the time, and could not write for a while, is back', async () => {
  const agent = await joined('gpu-10', ...ROUTERS);
  await happens(agent, 'agent.left', 'closed', 'rtr_one');
  clock.advance(5 * MINUTE_MS);
  await look();
  expect((await turnsOf(agent)).map(([action]) => action)).toEqual(['agent.lost']);
  const seen = clock.now();
  await rig.place.sql(`update agents set last_seen = ${seen} where id = '${agent}'`);
  await look();
  const [, returned] = await turnsOf(agent);
  expect(returned?.[0]).toBe('agent.returned');
  expect(returned?.[2]).toBe(iso(seen));
  // The next loss is one of its own.
  clock.advance(MINUTE_MS);
  await happens(agent, 'agent.left', 'closed', 'rtr_two');
  clock.advance(5 * MINUTE_MS);
  await look();
  expect((await turnsOf(agent)).map(([action]) => action)).toEqual([
    'agent.lost',
    'agent.returned',
    'agent.lost',
  ]);
});
