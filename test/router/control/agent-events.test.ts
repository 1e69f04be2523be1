/** The events of an agent: what a router observes at its link, what operators do, and their notes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { HostEventRecorder } from '../../../router/host-events/recorder.ts';
import type { AgentEventPage } from '../../../shared/api/agents.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { HOST_NOTE_CHARS_MAX } from '../../../shared/host-events.ts';
import type { AgentId } from '../../../shared/ids.ts';
import { makeLog } from '../../../shared/log.ts';
import { seededRandom } from '../../../shared/random.ts';
import { DialingAgent, idleEngine, newAgentKey } from './dialing-agent.ts';
import { enrol } from './enrol.ts';
import { type Rig, startRig } from './rig.ts';

let rig: Rig;
let recorder: HostEventRecorder;

beforeAll(async () => {
  rig = await startRig();
  const log = makeLog('test', 'silent');
  const parts = { store: rig.store, clock, random: seededRandom(7), log };
  recorder = new HostEventRecorder({ ...parts, router: () => 'rtr_test' });
  rig.fleet.onHostEvent((event) => recorder.note(event));
});
afterAll(async () => {
  await recorder[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

async function eventsOf(agent: string, query = '') {
  await recorder.written();
  const { status, body } = await rig.ask('GET', `/api/v1/agents/${agent}/events${query}`);
  expect(status).toBe(200);
  return body as z.infer<typeof AgentEventPage>;
}

const actionsOf = async (agent: string) => {
  const { data } = await eventsOf(agent);
  return data.map(({ action, worker, detail }) => [action, worker, detail]);
};

test('a drain keeps its reason, which is shown until an operator or a restart of the agent ends it', async () => {
  const { id, join_token } = await enrol(rig);
  using agent = await DialingAgent.dial(rig.origin, newAgentKey(), join_token);
  agent.send({ type: 'load', workers: [idleEngine('vllm')] });
  await expect.poll(() => actionsOf(id)).toContainEqual(['worker.found', 'vllm', 'vllm 0.11']);
  const path = `/api/v1/agents/${id}`;
  const drained = async () => (await rig.ask('GET', `${path}/last-known`)).body.drained;
  expect(await drained()).toBeNull();
  const reason = 'The power supply is replaced.';
  expect((await rig.ask('POST', `${path}/drain`, { reason })).status).toBe(200);
  expect(await drained()).toEqual({ at: expect.any(String), by: expect.any(String), reason });
  expect(await actionsOf(id)).toContainEqual(['agent.drain', null, reason]);
  const { body: log } = await rig.ask('GET', '/api/v1/audit?action=agent.drain&limit=1');
  expect(log.data[0].summary).toMatch(/drained the host .*: The power supply is replaced\.$/);
  await rig.ask('POST', `${path}/undrain`);
  expect(await drained()).toBeNull();
  // A worker is drained with a reason, too. It is no drain of its host.
  const worker = { id: `${id}/vllm` };
  const fan = 'A fan is replaced.';
  const drain = (body: object) => rig.ask('POST', '/api/v1/workers/drain', { ...worker, ...body });
  expect((await drain({ reason: fan })).status).toBe(200);
  expect(await actionsOf(id)).toContainEqual(['worker.drain', 'vllm', fan]);
  expect(await drained()).toBeNull();
  expect((await drain({})).status).toBe(200);
  expect(await actionsOf(id)).toContainEqual(['worker.drain', 'vllm', null]);
  // The drains of one worker are found among all events of its host.
  const drains = async (name: string) =>
    (await eventsOf(id, `?worker=${name}&action=worker.drain&action=agent.drain`)).data.map(
      ({ action, detail }) => [action, detail],
    );
  const ofHost = ['agent.drain', reason];
  expect(await drains('vllm')).toEqual([['worker.drain', null], ['worker.drain', fan], ofHost]);
  expect(await drains('other')).toEqual([ofHost]);
  for (const refused of [{ reason: '' }, { why: 'x' }]) {
    expect((await drain(refused)).status).toBe(400);
  }
  const undrain = { ...worker, reason: fan };
  expect((await rig.ask('POST', '/api/v1/workers/undrain', undrain)).status).toBe(400);
  expect((await rig.ask('POST', '/api/v1/workers/undrain', worker)).status).toBe(200);
  // Without a body, a drain has no reason.
  await rig.ask('POST', `${path}/drain`);
  expect(await drained()).toMatchObject({ reason: null });
  // A restart of the agent ends the drain, too.
  const start = {
    agent: id as AgentId,
    worker: '',
    detail: 'test',
    action: 'agent.started',
  } as const;
  recorder.note({ ...start, once: ['the next boot'] });
  await recorder.written();
  expect(await drained()).toBeNull();
  for (const refused of [{ reason: '' }, { reason: 'a\u0000b' }, { why: 'x' }]) {
    expect((await rig.ask('POST', `${path}/drain`, refused)).status).toBe(400);
  }
});

const write = (agent: string, body: unknown) =>
  rig.ask('POST', `/api/v1/agents/${agent}/notes`, body);

test('a link, its agent, its engines, drains and breakers leave events at the host', async () => {
  const { id, join_token } = await enrol(rig);
  {
    using agent = await DialingAgent.dial(rig.origin, newAgentKey(), join_token);
    agent.send({ type: 'load', workers: [idleEngine('vllm')] });
    await expect.poll(() => actionsOf(id)).toContainEqual(['worker.found', 'vllm', 'vllm 0.11']);
    const restarted = { ...idleEngine('vllm'), boot: 'engine-2', engine: 'vllm 0.12' };
    agent.send({ type: 'load', workers: [restarted] });
    await expect
      .poll(() => actionsOf(id))
      .toContainEqual(['worker.restarted', 'vllm', 'vllm 0.12']);
    await rig.ask('POST', `/api/v1/agents/${id}/drain`);
    await rig.ask('POST', '/api/v1/workers/undrain', { id: `${id}/vllm` });
    const [worker] = rig.fleet.workers;
    const now = clock.monotonic();
    for (const [nth, organization] of ['a', 'b', 'c'].entries()) {
      worker?.breaker.failed(organization, now + 2 * nth, now + 2 * nth + 1);
    }
    agent.send({ type: 'drain', worker: null });
    await expect.poll(() => actionsOf(id)).toContainEqual(['agent.stopping', null, null]);
  }
  await expect.poll(() => actionsOf(id)).toContainEqual(['agent.left', null, 'closed']);
  const { data } = await eventsOf(id);
  const shown = data.map(({ action, worker, detail, before, router, count }) => ({
    action,
    worker,
    detail,
    before,
    router,
    count,
  }));
  const seen = { worker: null, detail: null, before: null, router: 'rtr_test', count: 1 };
  const done = { ...seen, router: null };
  expect(shown).toHaveLength(10);
  expect(shown).toEqual(
    expect.arrayContaining([
      { ...done, action: 'agent.enrol' },
      { ...seen, action: 'agent.started', detail: 'test' },
      { ...seen, action: 'agent.joined', detail: 'test' },
      { ...seen, action: 'worker.found', worker: 'vllm', detail: 'vllm 0.11' },
      {
        ...seen,
        action: 'worker.restarted',
        worker: 'vllm',
        detail: 'vllm 0.12',
        before: 'vllm 0.11',
      },
      { ...done, action: 'agent.drain' },
      { ...done, action: 'worker.undrain', worker: 'vllm' },
      { ...seen, action: 'worker.breaker-opened', worker: 'vllm' },
      { ...seen, action: 'agent.stopping' },
      { ...seen, action: 'agent.left', detail: 'closed' },
    ]),
  );
  for (const { action, actor } of data) {
    const isAct = ['agent.enrol', 'agent.drain', 'worker.undrain'].includes(action);
    expect([action, actor !== null]).toEqual([action, isAct]);
  }
});

test('operators write notes, which are listed with their name and audited', async () => {
  const { id } = await enrol(rig);
  const { status, body } = await write(id, { text: '  A fan is replaced on Friday.  ' });
  expect(status).toBe(201);
  const note = {
    id: expect.stringMatching(/^hev_/),
    action: 'agent.note',
    detail: 'A fan is replaced on Friday.',
    worker: null,
    router: null,
    actor: expect.any(String),
  };
  expect(body).toMatchObject(note);
  const { data } = await eventsOf(id);
  expect(data).toEqual([
    expect.objectContaining(note),
    expect.objectContaining({ action: 'agent.enrol' }),
  ]);
  const audit = await rig.ask('GET', '/api/v1/audit?action=agent.note');
  expect(audit.body.data[0]).toMatchObject({ action: 'agent.note', target: id });
  expect(JSON.stringify(audit.body)).not.toContain('fan');
});

test('a note is one line, has a bound, and belongs to an agent that exists', async () => {
  const { id } = await enrol(rig);
  for (const text of ['', '   ', 'x'.repeat(HOST_NOTE_CHARS_MAX + 1), 'two\nlines', 'a\0', 7]) {
    const { status, body } = await write(id, { text });
    expect([text, status, body.error.param]).toEqual([text, 400, 'text']);
  }
  expect((await write(id, { text: 'x'.repeat(HOST_NOTE_CHARS_MAX) })).status).toBe(201);
  const missing = `agt_${'0'.repeat(26)}`;
  expect((await write(missing, { text: 'x' })).status).toBe(404);
  expect((await rig.ask('GET', `/api/v1/agents/${missing}/events`)).status).toBe(404);
});

test('events of both kinds are listed over pages, each once, newest first', async () => {
  const { id } = await enrol(rig);
  const { id: other } = await enrol(rig, { name: 'gpu-2' });
  await write(other, { text: 'of another' });
  for (let nth = 0; nth < 5; nth++) {
    await write(id, { text: `note ${nth}` });
    await rig.ask('POST', `/api/v1/agents/${id}/revoke`);
  }
  const all = (await eventsOf(id)).data;
  expect(all).toHaveLength(11);
  const paged: unknown[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const page: Awaited<ReturnType<typeof eventsOf>> = await eventsOf(
      id,
      `?limit=2${after === '' ? '' : `&after=${after}`}`,
    );
    expect(page.data.length).toBeLessThanOrEqual(2);
    paged.push(...page.data);
    after = page.next;
  }
  expect(paged).toEqual(all);
  const times = all.map(({ created }) => Date.parse(created));
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect((await rig.ask('GET', `/api/v1/agents/${id}/events?after=org_1`)).status).toBe(400);
});

test('events are narrowed to a worker with its agent, and to some actions', async () => {
  const { id } = await enrol(rig);
  const seen = { agent: id as AgentId, detail: '', once: null };
  recorder.note({ ...seen, worker: '', action: 'agent.joined' });
  recorder.note({ ...seen, worker: 'one', action: 'worker.breaker-opened' });
  recorder.note({ ...seen, worker: 'two', action: 'worker.breaker-opened' });
  await rig.ask('POST', `/api/v1/agents/${id}/revoke`);
  const found = async (query: string) => {
    const { data } = await eventsOf(id, `?${query}`);
    return new Set(data.map(({ action, worker }) => `${action} ${worker ?? ''}`.trim()));
  };
  const ofAgent = ['agent.enrol', 'agent.joined', 'agent.revoke'];
  expect(await found('worker=one')).toEqual(new Set([...ofAgent, 'worker.breaker-opened one']));
  expect(await found('worker=three')).toEqual(new Set(ofAgent));
  expect(await found('action=agent.joined&action=agent.enrol')).toEqual(
    new Set(['agent.enrol', 'agent.joined']),
  );
  expect(await found('worker=two&action=worker.breaker-opened')).toEqual(
    new Set(['worker.breaker-opened two']),
  );
  for (const refused of ['worker=', 'worker=a%00', 'action=agent', 'action=%25']) {
    const { status } = await rig.ask('GET', `/api/v1/agents/${id}/events?${refused}`);
    expect(status, refused).toBe(400);
  }
});
