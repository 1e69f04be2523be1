import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { makeAgentRegistry } from '../../../router/control/agent-registry.ts';
import { revokeAgent } from '../../../router/control/agents/procedures.ts';
import { systemClock } from '../../../shared/clock.ts';
import type { AgentId } from '../../../shared/ids.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import { SUBPROTOCOL } from '../../../shared/wire/messages.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { DialingAgent, idleEngine, newAgentKey } from './dialing-agent.ts';
import { PEPPER, type Rig, startRig } from './rig.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

async function enrol(rig: Rig, body: object = { name: 'gpu-1' }) {
  const { status, body: agent } = await rig.ask('POST', '/api/v1/agents', body);
  expect(status).toBe(201);
  return agent as { id: string; join_token: string; expires: string; created: string };
}

const agentOf = async (rig: Rig, id: string) =>
  (await rig.ask('GET', '/api/v1/agents')).body.data.find((one: { id: string }) => one.id === id);

/** Waits until the router has processed the agent's report. */
async function workers(rig: Rig, count: number) {
  for (;;) {
    const { data } = (await rig.ask('GET', '/api/v1/workers')).body;
    if (data.length === count) return data;
  }
}

test('an enrolment tells its join token once, good for a day, and keeps only a digest', async () => {
  await using rig = await startRig();
  const { join_token, ...agent } = await enrol(rig, { name: 'gpu-1', region: 'US' });
  expect(join_token).toMatch(/^penstock-join-[0-9A-Za-z]{40}$/);
  expect(Date.parse(agent.expires) - Date.parse(agent.created)).toBe(DAY_MS);
  expect(await agentOf(rig, agent.id)).toEqual({
    id: agent.id,
    name: 'gpu-1',
    region: 'us',
    state: 'enrolling',
    connected: false,
    created: agent.created,
    last_seen: null,
  });
  const bytes = await rig.bytes();
  expect(bytes).toContain(digestSecret(PEPPER, join_token));
  expect(bytes).not.toContain(join_token);
});

test('a join token is spent by its first key, and that key may use it again', async () => {
  await using rig = await startRig();
  const registry = makeAgentRegistry({ store: rig.store, pepper: PEPPER, clock: systemClock });
  const { id, join_token } = await enrol(rig);
  expect(await registry.find('key one')).toBeNull();
  const known = { agent: id, name: 'gpu-1', region: 'global' };
  expect(await registry.join(join_token, 'key one')).toEqual(known);
  expect(await registry.join(join_token, 'key two')).toBeNull();
  expect(await registry.join(join_token, 'key one')).toEqual(known);
  expect(await registry.find('key one')).toEqual(known);
  expect(await registry.find('key two')).toBeNull();
  expect(await agentOf(rig, id)).toMatchObject({
    state: 'enrolled',
    last_seen: expect.any(String),
  });
});

test('two keys that bring one token at once: one of them joins', async () => {
  await using rig = await startRig();
  const registry = makeAgentRegistry({ store: rig.store, pepper: PEPPER, clock: systemClock });
  const { join_token } = await enrol(rig);
  const keys = Array.from({ length: 20 }, (_, i) => `key ${i}`);
  const joined = await Promise.all(keys.map((key) => registry.join(join_token, key)));
  expect(joined.filter((agent) => agent !== null)).toHaveLength(1);
});

test('a token is of no use after a day; the key that it has bound stays', async () => {
  const clock = new ManualClock();
  await using rig = await startRig(clock);
  const registry = makeAgentRegistry({ store: rig.store, pepper: PEPPER, clock });
  const late = await enrol(rig);
  const early = await enrol(rig, { name: 'gpu-2' });
  await registry.join(early.join_token, 'early');
  clock.advance(DAY_MS);
  expect(await registry.join(late.join_token, 'late')).toBeNull();
  expect(await registry.find('early')).toMatchObject({ agent: early.id });
});

test('what is no join token opens nothing', async () => {
  await using rig = await startRig();
  const registry = makeAgentRegistry({ store: rig.store, pepper: PEPPER, clock: systemClock });
  for (const token of ['', 'penstock-join-', rig.first.operator.token, rig.first.apiKey]) {
    expect(await registry.join(token, 'a key')).toBeNull();
  }
});

test('one key is one agent: with the token of another it does not join', async () => {
  await using rig = await startRig();
  const registry = makeAgentRegistry({ store: rig.store, pepper: PEPPER, clock: systemClock });
  const first = await enrol(rig);
  const second = await enrol(rig, { name: 'gpu-2' });
  await registry.join(first.join_token, 'the key');
  expect(await registry.join(second.join_token, 'the key')).toBeNull();
  expect(await registry.join(second.join_token, 'another key')).toMatchObject({ agent: second.id });
});

test('a revoked agent comes back neither with its key nor with its token', async () => {
  await using rig = await startRig();
  const registry = makeAgentRegistry({ store: rig.store, pepper: PEPPER, clock: systemClock });
  const joined = await enrol(rig);
  const waiting = await enrol(rig, { name: 'gpu-2' });
  await registry.join(joined.join_token, 'the key');
  for (const { id } of [joined, waiting]) {
    const { status, body } = await rig.ask('POST', `/api/v1/agents/${id}/revoke`);
    expect({ status, state: body.state }).toEqual({ status: 200, state: 'revoked' });
  }
  expect(await registry.find('the key')).toBeNull();
  expect(await registry.join(joined.join_token, 'the key')).toBeNull();
  expect(await registry.join(waiting.join_token, 'a new key')).toBeNull();
  expect((await rig.ask('POST', `/api/v1/agents/${joined.id}/revoke`)).status).toBe(200);
});

test('an agent that is not there cannot be revoked', async () => {
  await using rig = await startRig();
  for (const id of [`agt_${'0'.repeat(26)}`, rig.first.organization.id, 'x']) {
    expect((await rig.ask('POST', `/api/v1/agents/${id}/revoke`)).status).toBe(404);
  }
});

test('revoking an agent ends its session and takes its workers out at once', async () => {
  await using rig = await startRig();
  const { id, join_token } = await enrol(rig);
  const key = newAgentKey();
  using agent = await DialingAgent.dial(rig.origin, key, join_token);
  agent.send({ type: 'load', workers: [idleEngine('engine-a')] });
  await workers(rig, 1);
  expect(await agentOf(rig, id)).toMatchObject({ connected: true });

  const revoked = await rig.ask('POST', `/api/v1/agents/${id}/revoke`);
  expect(revoked.body).toMatchObject({ state: 'revoked', connected: false });
  expect(rig.fleet.serving('qwen/qwen3.5-397b-a17b', 'global')).toEqual([]);
  expect((await agent.closed).reason).toContain('revoked');
  await expect(DialingAgent.dial(rig.origin, key, join_token)).rejects.toThrow('not enrolled');
});

test('an agent revoked where it has no session is ended where it has one, within seconds', async () => {
  await using rig = await startRig();
  const { id, join_token } = await enrol(rig);
  using agent = await DialingAgent.dial(rig.origin, newAgentKey(), join_token);
  agent.send({ type: 'load', workers: [idleEngine('engine-a')] });
  await workers(rig, 1);
  // The revocation is written directly to the store, as by another router, so that this router is
  // not notified.
  await rig.store.call(revokeAgent, id as AgentId);
  expect((await agent.closed).reason).toContain('revoked');
  expect(await workers(rig, 0)).toEqual([]);
});

test('a router has use for the agents of its regions, and tells others why not', async () => {
  const clock = systemClock;
  await using european = await startRig(clock, ['eu']);
  await using worldly = await startRig(clock, ['us', 'global']);
  const joins = async (rig: Rig, region: string) => {
    const { join_token } = await enrol(rig, { name: region, region });
    const dialling = DialingAgent.dial(rig.origin, newAgentKey(), join_token);
    return await dialling.then(
      (agent) => {
        agent[Symbol.dispose]();
        return 'joined';
      },
      (error: Error) => error.message,
    );
  };
  expect(await joins(european, 'EU')).toBe('joined');
  expect(await joins(european, 'US')).toBe('this router does not serve region us');
  expect(await joins(european, 'Global')).toMatch(/does not serve region global/);
  for (const region of ['Global', 'US', 'EU']) {
    expect(await joins(worldly, region)).toBe('joined');
  }
});

test('a worker is listed with what its engine reports, and drained by an operator', async () => {
  await using rig = await startRig();
  const { id, join_token } = await enrol(rig);
  using agent = await DialingAgent.dial(rig.origin, newAgentKey(), join_token);
  const gpu = { name: 'NVIDIA H200', memoryUsedBytes: 90, memoryTotalBytes: 141, use: 0.5 };
  const load = {
    running: 3,
    waiting: 1,
    kvUse: 0.25,
    prefixHitTokens: 80,
    prefixQueryTokens: 100,
    gpus: [gpu],
    notes: ['a flag is missing'],
  };
  agent.send({ type: 'load', workers: [{ ...idleEngine('engine-a'), ...load }] });
  const [worker] = await workers(rig, 1);
  expect(worker).toEqual({
    id: `${id}/engine-a`,
    agent: id,
    agent_name: 'gpu-1',
    name: 'engine-a',
    region: 'global',
    engine: 'vllm 0.11',
    phase: 'ready',
    breaker: 'closed',
    share: 1,
    models: ['qwen/qwen3.5-397b-a17b'],
    slots: 64,
    running: 3,
    waiting: 1,
    in_flight: 0,
    kv_use: 0.25,
    prefix_hit_tokens: 80,
    prefix_query_tokens: 100,
    alarms: [],
    completion_tokens: 0,
    gpus: [{ name: 'NVIDIA H200', memory_used_bytes: 90, memory_total_bytes: 141, use: 0.5 }],
    notes: ['a flag is missing'],
  });

  const drained = await rig.ask('POST', '/api/v1/workers/drain', { id: worker.id });
  expect(drained.status).toBe(200);
  expect(drained.body.phase).toBe('draining');
  expect(await agent.next()).toEqual({ type: 'drain', worker: 'engine-a' });
  const missing = await rig.ask('POST', '/api/v1/workers/drain', { id: `${id}/engine-b` });
  expect(missing.status).toBe(404);
});

test('an agent of an older wire is told in words why it is refused', async () => {
  await using rig = await startRig();
  const url = `${rig.origin.replace('http', 'ws')}/agent`;
  const socket = new WebSocket(url, 'penstock.v1');
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
  expect([code, reason.toString()]).toEqual([
    4001,
    `this router supports only ${SUBPROTOCOL}: update the agent`,
  ]);
});

test('a stranger whose greeting does not end is cut off, long before it is a message', async () => {
  await using rig = await startRig();
  const socket = new WebSocket(`${rig.origin.replace('http', 'ws')}/agent`, SUBPROTOCOL);
  socket.on('error', () => {});
  await once(socket, 'open');
  socket.send(Buffer.alloc(1024 * 1024, ' '), { binary: false, fin: false });
  // The connection is cut without a close reason. A greeting that takes too long gets one.
  const [code] = await once(socket, 'close');
  expect(code).toBe(1006);
});

test('agents and workers are listed over pages, each once', async () => {
  await using rig = await startRig();
  const { join_token } = await enrol(rig);
  await enrol(rig, { name: 'gpu-2' });
  using agent = await DialingAgent.dial(rig.origin, newAgentKey(), join_token);
  agent.send({ type: 'load', workers: ['a', 'b', 'c'].map(idleEngine) });
  await workers(rig, 3);
  for (const list of ['agents', 'workers']) {
    const seen: string[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const query: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
      const { body } = await rig.ask('GET', `/api/v1/${list}?limit=1${query}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      after = body.next;
    }
    expect(new Set(seen).size).toBe(3);
    expect(seen).toHaveLength(3);
  }
});

test('an agent is drained with all of its workers, and one without a link cannot be', async () => {
  await using rig = await startRig();
  const { id, join_token } = await enrol(rig);
  expect((await rig.ask('POST', `/api/v1/agents/${id}/drain`)).status).toBe(409);
  using agent = await DialingAgent.dial(rig.origin, newAgentKey(), join_token);
  agent.send({ type: 'load', workers: [idleEngine('engine-a'), idleEngine('engine-b')] });
  await workers(rig, 2);
  const drained = await rig.ask('POST', `/api/v1/agents/${id}/drain`);
  expect(drained.body).toMatchObject({ id, connected: true });
  const phases = (await workers(rig, 2)).map(({ phase }: { phase: string }) => phase);
  expect(phases).toEqual(['draining', 'draining']);
  for (const worker of ['engine-a', 'engine-b']) {
    expect(await agent.next()).toEqual({ type: 'drain', worker });
  }
});
