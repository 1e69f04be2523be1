import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { makeAgentRegistry } from '../../../router/control/agent-registry.ts';
import { revokeAgent } from '../../../router/control/agents/procedures.ts';
import { systemClock } from '../../../shared/clock.ts';
import type { AgentId } from '../../../shared/ids.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { type AgentKey, DialingAgent, idleEngine, newAgentKey } from './dialing-agent.ts';
import { agentOf, enrol } from './enrol.ts';
import { PEPPER, type Rig, startRig } from './rig.ts';
import { PROTOCOL_VERSIONS, SUBPROTOCOLS } from '../../../shared/wire/protocol.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Waits until the router has processed the agent's report. */
async function workers(rig: Rig, count: number) {
  for (;;) {
    const { data } = (await rig.ask('GET', '/api/v1/workers')).body;
    if (data.length === count) return data;
  }
}

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

test('an agent that may not join is told why, once it has proven its key', async () => {
  const clock = new ManualClock();
  await using rig = await startRig(clock);
  const dialled = (key: AgentKey, token: string | null) =>
    expect(DialingAgent.dial(rig.origin, key, token)).rejects;
  const used = await enrol(rig, { name: 'gpu-2' });
  const revoked = await enrol(rig, { name: 'gpu-3' });
  const late = await enrol(rig, { name: 'gpu-4' });
  const owner = newAgentKey();
  using agent = await DialingAgent.dial(rig.origin, owner, used.join_token);
  await rig.store.call(revokeAgent, revoked.id as AgentId);

  await dialled(newAgentKey(), null).toThrow('sent no join token');
  await dialled(newAgentKey(), 'penstock-join-mistyped').toThrow('its join token is unknown');
  await dialled(newAgentKey(), used.join_token).toThrow('its join token was used by another key');
  await dialled(newAgentKey(), revoked.join_token).toThrow('of its join token was revoked');
  await rig.store.call(revokeAgent, used.id as AgentId);
  agent[Symbol.dispose]();
  for (const token of [null, used.join_token, late.join_token]) {
    await dialled(owner, token).toThrow('this agent was revoked');
  }
  clock.advance(DAY_MS);
  await dialled(newAgentKey(), late.join_token).toThrow('its join token has expired');
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
  await expect(DialingAgent.dial(rig.origin, key, join_token)).rejects.toThrow('was revoked');
});

test('an agent is last seen now while it is connected, and as last recorded after it left', async () => {
  const clock = new ManualClock();
  await using rig = await startRig(clock);
  const registry = makeAgentRegistry({ store: rig.store, pepper: PEPPER, clock });
  const { id, join_token } = await enrol(rig);
  const seen = async () => Date.parse((await agentOf(rig, id)).last_seen);
  using agent = await DialingAgent.dial(rig.origin, newAgentKey(), join_token);
  agent.send({ type: 'load', workers: [idleEngine('engine-a')] });
  await workers(rig, 1);
  clock.advance(DAY_MS);
  expect(await seen()).toBe(clock.now());
  // A router records this once a minute.
  await registry.seen([id as AgentId]);
  const recorded = clock.now();
  agent[Symbol.dispose]();
  await expect.poll(async () => (await agentOf(rig, id)).connected).toBe(false);
  clock.advance(DAY_MS);
  expect(await seen()).toBe(recorded);
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
    agent_version: 'test',
    name: 'engine-a',
    region: 'global',
    engine: 'vllm 0.11',
    phase: 'ready',
    breaker: 'closed',
    share: 1,
    models: ['qwen/qwen3.5-397b-a17b'],
    engine_found: true,
    last_ready: null,
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
  const back = await rig.ask('POST', '/api/v1/workers/undrain', { id: worker.id });
  expect(back.body.phase).toBe('joining');
  expect(await agent.next()).toEqual({ type: 'drain', worker: 'engine-a', undo: true });
  for (const change of ['drain', 'undrain']) {
    const missing = { id: `${id}/engine-b` };
    expect((await rig.ask('POST', `/api/v1/workers/${change}`, missing)).status).toBe(404);
  }
});

test('an agent that speaks no version of the router is told who speaks which, and who is older', async () => {
  await using rig = await startRig();
  const url = `${rig.origin.replace('http', 'ws')}/agent`;
  const router = PROTOCOL_VERSIONS.map((version) => `v${version}`).join(', ');
  for (const [offered, agent, older] of [
    [['penstock.v1'], 'v1', 'agent'],
    [['penstock.v9002', 'penstock.v9001'], 'v9002, v9001', 'router'],
  ] as const) {
    const socket = new WebSocket(url, [...offered]);
    const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
    expect([code, reason.toString()]).toEqual([
      4001,
      `the router speaks protocol ${router}, the agent ${agent}: update the ${older}`,
    ]);
  }
});

test('an agent that speaks a later version as well joins with the newest that the router speaks', async () => {
  await using rig = await startRig();
  const { join_token } = await enrol(rig);
  const offered = ['penstock.v9001', ...SUBPROTOCOLS];
  using agent = await DialingAgent.dial(rig.origin, newAgentKey(), join_token, offered);
  agent.send({ type: 'load', workers: [idleEngine('a')] });
  await workers(rig, 1);
});

test('a stranger whose greeting does not end is cut off, long before it is a message', async () => {
  await using rig = await startRig();
  const socket = new WebSocket(`${rig.origin.replace('http', 'ws')}/agent`, [...SUBPROTOCOLS]);
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
  for (const change of ['drain', 'undrain']) {
    expect((await rig.ask('POST', `/api/v1/agents/${id}/${change}`)).status).toBe(409);
  }
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
  const back = await rig.ask('POST', `/api/v1/agents/${id}/undrain`);
  expect(back.body).toMatchObject({ id, connected: true });
  for (const worker of ['engine-a', 'engine-b']) {
    expect(await agent.next()).toEqual({ type: 'drain', worker, undo: true });
  }
});
