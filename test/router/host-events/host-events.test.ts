/** What routers record of agents and their workers: once for all routers, and bounded. */
import { expect, test } from 'vitest';
import { listAgentEvents } from '../../../router/control/agents/events.ts';
import { HOST_EVENT_DAYS, hostEventsTask } from '../../../router/control/retention/host-events.ts';
import type { HostEvent } from '../../../router/fleet/host-event.ts';
import { HOST_EVENTS_OF_ACTION } from '../../../router/host-events/forget.ts';
import {
  HOST_EVENTS_WAITING_MAX,
  HostEventRecorder,
} from '../../../router/host-events/recorder.ts';
import { StoreUnavailable } from '../../../router/store/errors.ts';
import type { Store } from '../../../router/store/store.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.ts';
import { type AgentId, mintId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { makeLog } from '../../../shared/log.ts';
import { rig, shareRig } from '../ledger/shared-rig.ts';

shareRig();

function open(router: string, store: Pick<Store, 'call'> = rig.store): HostEventRecorder {
  return new HostEventRecorder({ ...rig.parts, store, router: () => router });
}

function someAgent(): AgentId {
  return mintId('agent', rig.clock, rig.random);
}

const started = (agent: AgentId, run: string, version: string): HostEvent => ({
  agent,
  worker: '',
  action: 'agent.started',
  detail: version,
  once: [run],
});

const found = (agent: AgentId, run: string, boot: string, engine: string): HostEvent => ({
  agent,
  worker: 'vllm',
  action: 'worker.found',
  detail: engine,
  once: [run, 'vllm', boot],
});

const left = (agent: AgentId, reason = 'silent'): HostEvent => ({
  agent,
  worker: '',
  action: 'agent.left',
  detail: reason,
  once: null,
});

async function listed(agent: AgentId, limit = 1_000) {
  return (
    await rig.store.call(listAgentEvents, {
      agent,
      worker: null,
      actions: null,
      after: null,
      limit,
    })
  ).rows;
}

const brief = async (agent: AgentId) =>
  (await listed(agent)).map(({ action, detail, before }) => [action, detail, before]);

/** The store, which cannot be reached until `isAway` is set to false. */
function awayStore(): Pick<Store, 'call'> & { isAway: boolean } {
  const store: ReturnType<typeof awayStore> = {
    isAway: true,
    call: (procedure, input) =>
      store.isAway
        ? Promise.reject(new StoreUnavailable('away'))
        : rig.store.call(procedure, input),
  };
  return store;
}

/** Notes the events a millisecond apart, so that they have an order. */
function note(recorder: HostEventRecorder, ...events: readonly HostEvent[]): void {
  for (const event of events) {
    recorder.note(event);
    rig.clock.advance(1);
  }
}

test('a start that several routers have seen is one event, a link of each router is its own', async () => {
  const agent = someAgent();
  for (const router of ['rtr_a', 'rtr_b']) {
    await using recorder = open(router);
    note(recorder, started(agent, 'run 1', '1.0'), found(agent, 'run 1', 'boot 1', 'vllm 0.11'));
    note(recorder, left(agent));
  }
  expect((await listed(agent)).map(({ action, router }) => [action, router])).toEqual([
    ['agent.left', 'rtr_b'],
    ['agent.left', 'rtr_a'],
    ['worker.found', 'rtr_a'],
    ['agent.started', 'rtr_a'],
  ]);
});

test('an engine that starts again while its agent runs was restarted, and versions are compared', async () => {
  const agent = someAgent();
  await using recorder = open('rtr_a');
  note(recorder, started(agent, 'run 1', '1.0'), found(agent, 'run 1', 'boot 1', 'vllm 0.11'));
  await recorder.written();
  note(recorder, found(agent, 'run 1', 'boot 2', 'vllm 0.11'));
  note(recorder, found(agent, 'run 1', 'boot 3', 'vllm 0.12'));
  await recorder.written();
  note(recorder, started(agent, 'run 2', '1.1'), found(agent, 'run 2', 'boot 4', 'vllm 0.12'));
  await recorder.written();
  expect(await brief(agent)).toEqual([
    ['worker.found', 'vllm 0.12', null],
    ['agent.started', '1.1', '1.0'],
    ['worker.restarted', 'vllm 0.12', 'vllm 0.11'],
    ['worker.restarted', 'vllm 0.11', null],
    ['worker.found', 'vllm 0.11', null],
    ['agent.started', '1.0', null],
  ]);
});

test('events of one millisecond are listed in the order in which they happened', async () => {
  const agent = someAgent();
  await using recorder = open('rtr_a');
  const boots = Array.from({ length: 20 }, (_, n) => `engine ${n}`);
  for (const boot of boots) recorder.note(found(agent, 'run 1', boot, boot));
  await recorder.written();
  expect((await listed(agent)).map(({ detail }) => detail)).toEqual(boots.toReversed());
});

test('events of one millisecond keep their order, also when thousands of many agents come at once', async () => {
  const { burst } = limits.hostEvents.peer;
  const agents = Array.from({ length: 30 }, someAgent);
  await using recorder = open('rtr_a');
  const boots = Array.from({ length: burst }, (_, n) => `engine ${n}`);
  for (const boot of boots) {
    for (const agent of agents) recorder.note(found(agent, 'run 1', boot, boot));
  }
  await recorder.written();
  for (const agent of agents) {
    expect((await listed(agent)).map(({ detail }) => detail)).toEqual(boots.toReversed());
  }
});

test('what happens again in the same minute is counted in one row', async () => {
  const agent = someAgent();
  rig.clock.advance(MINUTE_MS - (rig.clock.now() % MINUTE_MS));
  await using recorder = open('rtr_a');
  const first = rig.clock.now();
  for (let nth = 0; nth < 100; nth++) recorder.note(left(agent));
  await recorder.written();
  rig.clock.advance(30_000);
  recorder.note(left(agent));
  await recorder.written();
  rig.clock.advance(MINUTE_MS);
  recorder.note(left(agent));
  await recorder.written();
  expect((await listed(agent)).map(({ count, created, last }) => [count, created, last])).toEqual([
    [1n, BigInt(first + 90_000), BigInt(first + 90_000)],
    [101n, BigInt(first), BigInt(first + 30_000)],
  ]);
});

test('an agent that invents events has a rate, and takes no room from another', async () => {
  const [agent, other] = [someAgent(), someAgent()];
  await using recorder = open('rtr_a');
  for (let boot = 0; boot < 1_000; boot++) {
    recorder.note(found(agent, 'run', `boot ${boot}`, `\0 engine ${'x'.repeat(1_000)}`));
  }
  expect(recorder.size).toBe(limits.hostEvents.peer.burst);
  recorder.note(left(other));
  await recorder.written();
  expect(await listed(agent)).toHaveLength(limits.hostEvents.peer.burst);
  expect(await brief(other)).toEqual([['agent.left', 'silent', null]]);
});

test('texts of an agent are kept in bounded form, without characters that change others', async () => {
  const agent = someAgent();
  await using recorder = open('rtr_a');
  recorder.note(found(agent, 'run', 'boot', `a\0b\u202ec\u2066d\ud800 <b> ${'x'.repeat(300)}`));
  await recorder.written();
  const [{ detail } = { detail: '' }] = await listed(agent);
  expect(detail).toMatch(/^a\ufffdb\ufffdc\ufffdd\ufffd <b> x+…$/u);
  expect(detail).toHaveLength(256);
});

test('a write that the store refuses loses its own rows and no others', async () => {
  let refused = 0;
  const store = {
    call: ((procedure, input) =>
      refused++ === 0
        ? Promise.reject(new Error('refused'))
        : rig.store.call(procedure, input)) as Store['call'],
  };
  const agents = Array.from({ length: 150 }, someAgent);
  {
    await using recorder = open('rtr_a', store);
    for (const agent of agents) recorder.note(left(agent));
  }
  const counts = await Promise.all(agents.map(async (agent) => (await listed(agent)).length));
  expect(counts.filter((count) => count === 1)).toHaveLength(50);
});

test('everything that waits is written within a second', async () => {
  const agents = Array.from({ length: 250 }, someAgent);
  await using recorder = open('rtr_a');
  for (const agent of agents) recorder.note(left(agent));
  rig.clock.advance(1_000);
  await expect.poll(() => recorder.size).toBe(0);
});

test('the log says how many events a write has lost, also just after the store was away', async () => {
  const lines: { events?: number }[] = [];
  const log = makeLog('test', 'warn', { write: (line) => void lines.push(JSON.parse(line)) });
  const faults = [new StoreUnavailable('away'), new Error('refused')];
  const store: Pick<Store, 'call'> = {
    call: (procedure, input) => {
      const fault = faults.shift();
      return fault ? Promise.reject(fault) : rig.store.call(procedure, input);
    },
  };
  await using recorder = new HostEventRecorder({ ...rig.parts, store, log, router: () => 'rtr_a' });
  for (let nth = 0; nth < 150; nth++) recorder.note(left(someAgent()));
  await recorder.written();
  await recorder.written();
  expect(recorder.size).toBe(0);
  expect(lines.flatMap(({ events }) => events ?? [])).toEqual([100]);
});

test('while the store is away events wait, so many at most, and are written afterwards', async () => {
  const store = awayStore();
  await using recorder = open('rtr_a', store);
  const agent = someAgent();
  recorder.note(left(agent));
  for (let nth = 0; nth <= HOST_EVENTS_WAITING_MAX; nth++)
    recorder.note(left(`agt_${nth}` as AgentId));
  await recorder.written();
  expect(recorder.size).toBe(HOST_EVENTS_WAITING_MAX);
  store.isAway = false;
  await recorder.written();
  expect(recorder.size).toBe(0);
  expect(await brief(agent)).toEqual([['agent.left', 'silent', null]]);
});

test('a start that was seen again while the store was away is one event', async () => {
  const store = awayStore();
  await using recorder = open('rtr_a', store);
  const [agent, other] = [someAgent(), someAgent()];
  const first = rig.clock.now();
  recorder.note(started(agent, 'run 1', '1.0'));
  rig.clock.advance(MINUTE_MS);
  note(recorder, started(agent, 'run 1', '1.0'), left(other));
  await recorder.written();
  expect(recorder.size).toBe(3);
  store.isAway = false;
  await recorder.written();
  expect((await listed(agent)).map(({ created }) => created)).toEqual([BigInt(first)]);
  expect(await brief(other)).toEqual([['agent.left', 'silent', null]]);
});

test('the latest of each action are kept for a time, and the last one longer, whatever an agent does', async () => {
  const agent = someAgent();
  await using recorder = open('rtr_a');
  const first = rig.clock.now();
  note(recorder, started(agent, 'run 1', '1.0'));
  const minutes = HOST_EVENTS_OF_ACTION + 20;
  for (let minute = 0; minute < minutes; minute++) {
    recorder.note(left(agent));
    rig.clock.advance(MINUTE_MS);
  }
  await recorder.written();
  const task = hostEventsTask({ store: rig.store, clock: rig.clock });
  await task.run();
  const rows = await listed(agent);
  expect(rows).toHaveLength(HOST_EVENTS_OF_ACTION + 1);
  expect(rows.at(-1)).toMatchObject({ action: 'agent.started' });
  rig.clock.advance((HOST_EVENT_DAYS + 1) * DAY_MS);
  recorder.note(left(agent, 'closed'));
  await recorder.written();
  await task.run();
  // The run goes on: its agent connects again.
  recorder.note(started(agent, 'run 1', '1.0'));
  await recorder.written();
  expect((await listed(agent)).map(({ action, created }) => [action, created])).toEqual([
    ['agent.left', BigInt(rig.clock.now())],
    ['agent.started', BigInt(first)],
  ]);
});
