/** Why an agent is not connected, by what routers have recorded, and the alarm of lost hosts. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAgentRegistry } from '../../../router/control/agent-registry.ts';
import { revokeAgent } from '../../../router/control/agents/procedures.ts';
import { recordAuditEntry } from '../../../router/control/audit/record.ts';
import { hostEventsTask } from '../../../router/control/retention/host-events.ts';
import { HOST_EVENTS_OF_ACTION } from '../../../router/host-events/forget.ts';
import { HostEventRecorder } from '../../../router/host-events/recorder.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.ts';
import type { HostAction } from '../../../shared/host-events.ts';
import { type AgentId, mintId } from '../../../shared/ids.ts';
import { makeLog } from '../../../shared/log.ts';
import { seededRandom } from '../../../shared/random.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { agentOf, enrol } from './enrol.ts';
import { PEPPER, type Rig, startRig } from './rig.ts';

const clock = new ManualClock(Date.UTC(2026, 0, 31, 12));
const random = seededRandom(7);
let rig: Rig;
let recorder: HostEventRecorder;
/** Of another router, which runs. */
let otherRecorder: HostEventRecorder;
beforeAll(async () => {
  rig = await startRig(clock);
  const parts = { store: rig.store, clock, random, log: makeLog('test', 'silent') };
  recorder = new HostEventRecorder({ ...parts, router: () => 'rtr_test' });
  otherRecorder = new HostEventRecorder({ ...parts, router: () => 'rtr_other' });
  await rig.place.sql(
    `insert into incarnations (id, beat, regions, started) values ('rtr_other', 1, 'global', 0)`,
  );
});
afterAll(async () => {
  await recorder[Symbol.asyncDispose]();
  await otherRecorder[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

let runs = 0;

async function record(
  agent: AgentId,
  action: HostAction,
  detail = '',
  by = recorder,
): Promise<void> {
  const once = action === 'agent.started' ? ([`run ${(runs += 1)}`] as const) : null;
  by.note({ agent, worker: '', action, detail, once });
  await by.written();
  clock.advance(1_000);
}

/** An agent that has joined a router. */
async function joined(name: string): Promise<AgentId> {
  const { id, join_token } = await enrol(rig, { name });
  await makeAgentRegistry({ store: rig.store, pepper: PEPPER, clock }).join(join_token, name);
  await record(id as AgentId, 'agent.started', '1.0');
  await record(id as AgentId, 'agent.joined');
  return id as AgentId;
}

async function drain(agent: AgentId): Promise<void> {
  await rig.store.call(recordAuditEntry, {
    id: mintId('audit', clock, random),
    organization: null,
    actor: { kind: 'operator', id: null },
    action: 'agent.drain',
    target: agent,
    details: {},
    address: '',
    request: '',
    created: clock.now(),
  });
  clock.advance(1_000);
}

async function reasonOf(agent: AgentId): Promise<string | null> {
  const { absence } = await agentOf(rig, agent);
  return absence?.reason ?? null;
}

async function lostHosts(): Promise<readonly string[]> {
  const { body } = await rig.ask('GET', '/api/v1/platform/status');
  const alarms: { kind: string; message: string }[] = body.alarms;
  return alarms.filter(({ kind }) => kind === 'host_lost').map(({ message }) => message);
}

test('a host whose link broke is lost when it has had no other for some seconds', async () => {
  const agent = await joined('gpu-1');
  for (const worker of ['vllm', 'other']) {
    recorder.note({ agent, worker, action: 'worker.found', detail: 'vLLM 0.11.0', once: null });
  }
  await record(agent, 'agent.left', 'closed');
  expect(await reasonOf(agent)).toBe('disconnected');
  expect(await lostHosts()).toEqual([]);
  clock.advance(20_000);
  expect(await reasonOf(agent)).toBe('lost');
  expect((await agentOf(rig, agent)).absence).toMatchObject({ workers: 2 });
  expect(await lostHosts()).toEqual([
    '1 host was lost, and its agent was neither drained nor stopped: gpu-1.',
  ]);
  // Another router is connected to it.
  const registry = makeAgentRegistry({ store: rig.store, pepper: PEPPER, clock });
  await registry.seen([agent]);
  expect(await reasonOf(agent)).toBeNull();
  expect(await lostHosts()).toEqual([]);
  clock.advance(3 * MINUTE_MS);
  expect(await reasonOf(agent)).toBe('lost');
  clock.advance(DAY_MS);
  expect(await reasonOf(agent)).toBe('lost');
  expect(await lostHosts()).toEqual([]);
});

test('a host that another router may be connected to is lost only after minutes', async () => {
  const agent = await joined('gpu-3');
  await record(agent, 'agent.joined', '', otherRecorder);
  await record(agent, 'agent.left', 'closed');
  clock.advance(MINUTE_MS);
  expect(await reasonOf(agent)).toBeNull();
  clock.advance(2 * MINUTE_MS);
  expect(await reasonOf(agent)).toBe('lost');
  await record(agent, 'agent.joined', '', otherRecorder);
  expect(await reasonOf(agent)).toBeNull();
  await makeAgentRegistry({ store: rig.store, pepper: PEPPER, clock }).seen([agent]);
  await record(agent, 'agent.left', 'silent', otherRecorder);
  clock.advance(20_000);
  expect(await reasonOf(agent)).toBe('lost');
  await record(agent, 'agent.joined');
  expect(await reasonOf(agent)).toBeNull();
});

test('a host whose links to one router break often is not lost while another router is connected to it', async () => {
  const agent = await joined('gpu-5');
  await record(agent, 'agent.joined', '', otherRecorder);
  for (let nth = 0; nth <= HOST_EVENTS_OF_ACTION; nth++) {
    clock.advance(MINUTE_MS);
    await record(agent, 'agent.joined');
    await record(agent, 'agent.left', 'closed');
  }
  await hostEventsTask({ store: rig.store, clock }).run();
  await makeAgentRegistry({ store: rig.store, pepper: PEPPER, clock }).seen([agent]);
  await record(agent, 'agent.joined');
  await record(agent, 'agent.left', 'closed');
  clock.advance(20_000);
  expect(await reasonOf(agent)).toBeNull();
  await record(agent, 'agent.joined');
});

test('a host that took over its own link has not left', async () => {
  const agent = await joined('gpu-4');
  await record(agent, 'agent.left', 'replaced');
  clock.advance(MINUTE_MS);
  expect(await reasonOf(agent)).toBeNull();
});

test('a host that was drained or stopped, or whose router stopped, is not lost', async () => {
  const [drained, stopped, routerStopped, back, revoked] = [
    await joined('drained'),
    await joined('stopped'),
    await joined('router stopped'),
    await joined('back'),
    await joined('revoked'),
  ];
  await drain(drained);
  await record(drained, 'agent.left', 'closed');
  await record(stopped, 'agent.stopping');
  await record(stopped, 'agent.left', 'closed');
  await record(routerStopped, 'agent.left', 'stopping');
  await record(back, 'agent.left', 'silent');
  await record(back, 'agent.joined');
  await record(revoked, 'agent.left', 'closed');
  await rig.store.call(revokeAgent, revoked);
  clock.advance(3 * MINUTE_MS);
  expect(await reasonOf(drained)).toBe('drained');
  expect(await reasonOf(stopped)).toBe('stopped');
  expect(await reasonOf(routerStopped)).toBeNull();
  expect(await reasonOf(back)).toBeNull();
  expect(await reasonOf(revoked)).toBeNull();
  expect(await lostHosts()).toEqual([]);
});

test('a drain or a stop before the agent was started again does not excuse it', async () => {
  const agent = await joined('gpu-2');
  await drain(agent);
  await record(agent, 'agent.stopping');
  await record(agent, 'agent.left', 'closed');
  await record(agent, 'agent.started', '1.1');
  await record(agent, 'agent.joined');
  await record(agent, 'agent.left', 'silent');
  clock.advance(3 * MINUTE_MS);
  expect(await reasonOf(agent)).toBe('lost');
});

test('of a host that is away, the last version, engines and end of its link are known', async () => {
  const agent = await joined('gpu-known');
  const started = new Date(clock.now() - 2_000).toISOString();
  const engine = { agent, action: 'worker.found', once: null } as const;
  recorder.note({ ...engine, worker: 'vllm', detail: 'vLLM 0.11.0' });
  recorder.note({ ...engine, worker: 'other', detail: 'SGLang 0.5.3' });
  await recorder.written();
  clock.advance(60_000);
  recorder.note({ ...engine, worker: 'vllm', action: 'worker.restarted', detail: 'vLLM 0.12.0' });
  await recorder.written();
  const left = new Date(clock.now()).toISOString();
  await record(agent, 'agent.left', 'silent');
  const { status, body } = await rig.ask('GET', `/api/v1/agents/${agent}/last-known`);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toEqual({
    version: '1.0',
    started,
    drained: null,
    left: { at: left, reason: 'silent', router: 'rtr_test' },
    engines: [
      { worker: 'other', engine: 'SGLang 0.5.3', found: expect.any(String) },
      { worker: 'vllm', engine: 'vLLM 0.12.0', found: left },
    ],
  });
  const none = await enrol(rig, { name: 'gpu-new' });
  const unknown = await rig.ask('GET', `/api/v1/agents/${none.id}/last-known`);
  const nothing = { version: null, started: null, left: null, drained: null };
  expect(unknown.body).toEqual({ ...nothing, engines: [] });
});
