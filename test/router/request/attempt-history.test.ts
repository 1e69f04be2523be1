/** Which party a failure is blamed on, over the whole request path with scripted agents. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Probes } from '../../../router/fleet/probes.ts';
import { delivered } from '../../agent/support/gate.ts';
import { readStream, type Seen } from '../../support/sse.ts';
import { type Customer, estimate, refusalOf, RequestRig } from './rig.ts';
import { type AgentStream, ScriptedAgent } from './scripted-agent.ts';

const PROMPT = estimate();
const PROBE_AFTER_MS = 250;

let rig: RequestRig;
let customer: Customer;
let agents: ScriptedAgent[];
let probes: Probes;
beforeEach(async () => {
  rig = await RequestRig.start();
  customer = await rig.customer(10n ** 12n);
  const { fleet, books } = rig;
  probes = new Probes({ fleet, clock: books.clock, random: books.random });
  agents = [rig.agent, ...['two', 'three', 'four'].map((name) => join(name))];
});
afterEach(async () => {
  probes[Symbol.dispose]();
  for (const agent of agents) agent.drop();
  await rig[Symbol.asyncDispose]();
});

function join(name: string): ScriptedAgent {
  const agent = new ScriptedAgent(rig.fleet, rig.books, name);
  agent.report(rig.models);
  return agent;
}

type Taken = Readonly<{ agent: ScriptedAgent; stream: AgentStream }>;

/**
 * Resolves when an agent has a request that was not taken yet. Takes none, so that a caller can
 * stop waiting if no further request comes.
 */
async function waiting(): Promise<void> {
  await Promise.race(
    agents.map((one) => one.gate.until(() => one.streams.some((stream) => !stream.taken))),
  );
}

/** Takes the next request, and returns it with its agent. */
async function taken(): Promise<Taken> {
  await waiting();
  for (const agent of agents) {
    const stream = agent.streams.find((one) => !one.taken);
    if (!stream) continue;
    stream.taken = true;
    return { agent, stream };
  }
  throw new Error('another has taken it');
}

/**
 * The `x-should-retry` header of the last answer, which tells client libraries whether to retry by
 * themselves.
 */
let shouldRetry: string | null;

async function ask(by = customer): Promise<Seen> {
  const response = await rig.post(by);
  shouldRetry = response.headers.get('x-should-retry');
  return await readStream(response);
}

function serve(stream: AgentStream): void {
  stream.content(PROMPT, 1);
  stream.finish(PROMPT, 2);
}

function breakers(): string[] {
  return [...rig.fleet.workers].map(({ breaker }) => breaker.state);
}

/** Sends one request that fails before its first byte on each worker that receives it. */
async function failing(fail: (on: Taken) => void): Promise<Seen> {
  const seen = ask();
  let isOver = false;
  const over = seen.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await Promise.race([waiting(), over]);
    if (isOver) break;
    // Time passes, so that the next attempt begins later than this failure.
    fail(await taken());
    await rig.pass(1);
  }
  return await seen;
}

test('a request under which two workers died is tried on no third, and says so', async () => {
  const died: string[] = [];
  const seen = await failing(({ agent, stream }) => {
    died.push(stream.open.worker);
    agent.drop();
  });
  expect(died).toHaveLength(2);
  expect(refusalOf(seen)).toEqual([503, 'workers_died']);
  expect(shouldRetry).toBe('false');
  const [row] = await rig.rows(customer.organization);
  expect(row).toMatchObject({ status: 503, error: 'workers_died', cost: 0n });
  expect([...rig.fleet.workers]).toHaveLength(2);
});

test('an engine that dies behind its agent counts like a link that is lost', async () => {
  let attempts = 0;
  const seen = await failing(({ agent, stream }) => {
    attempts += 1;
    if (attempts === 1) agent.drop();
    else stream.fail('engine_died');
  });
  expect(attempts).toBe(2);
  expect(refusalOf(seen)).toEqual([503, 'workers_died']);
});

test('one that only fails is tried on three workers, and none of them is blamed', async () => {
  for (let round = 0; round < 8; round++) {
    let attempts = 0;
    const seen = await failing(({ stream }) => {
      attempts += 1;
      stream.fail('engine');
    });
    expect(attempts).toBe(3);
    expect(seen.status).toBeGreaterThanOrEqual(502);
  }
  expect(new Set(breakers())).toEqual(new Set(['closed']));
});

test('an engine that is full has not failed: the request goes to each other worker, and no attempt is used up', async () => {
  const asked: string[] = [];
  const seen = ask();
  for (let worker = 0; worker < 3; worker++) {
    const { stream } = await taken();
    asked.push(stream.open.worker);
    stream.fail('busy');
    await rig.pass(1);
  }
  const { stream } = await taken();
  expect(new Set([...asked, stream.open.worker]).size).toBe(4);
  serve(stream);
  expect((await seen).done).toBe(true);
  expect(new Set(breakers())).toEqual(new Set(['closed']));
});

test('while all engines are full a request waits, and is sent again when one of theirs has ended', async () => {
  for (const agent of agents.slice(1)) agent.drop();
  const first = ask();
  const running = await taken();
  const second = ask();
  const bounced = await taken();
  bounced.stream.fail('busy');
  await rig.until(() => rig.waitingFor(rig.models[0]) === 1);
  // A load report does not make room in a full engine's queue.
  agents[0]?.report(rig.models);
  expect(rig.waitingFor(rig.models[0])).toBe(1);
  serve(running.stream);
  expect((await first).done).toBe(true);
  const again = await taken();
  expect(again.stream.open.request).toBe(bounced.stream.open.request);
  serve(again.stream);
  expect((await second).done).toBe(true);
});

test('an engine that others have filled is tried again after a second, and then by ever more', async () => {
  for (const agent of agents.slice(1)) agent.drop();
  const asked = Array.from({ length: 4 }, () => ask());
  const given: Taken[] = [];
  while (given.length < asked.length) given.push(await taken());
  for (const { stream } of given) stream.fail('busy');
  await rig.until(() => rig.waitingFor(rig.models[0]) === 4);
  const tried = async () => {
    await rig.pass(1_000);
    agents[0]?.report(rig.models);
    await delivered();
    return (agents[0]?.streams ?? []).filter((stream) => !stream.taken).length;
  };
  expect(await tried()).toBe(1);
  expect(await tried()).toBe(3);
  expect(await tried()).toBe(4);
  for (let nth = 0; nth < 4; nth++) serve((await taken()).stream);
  for (const seen of asked) expect((await seen).done).toBe(true);
});

test('an engine that is full for as long as a request may wait is a 503 overloaded', async () => {
  for (const agent of agents.slice(1)) agent.drop();
  const seen = ask();
  let isOver = false;
  void seen.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    for (const stream of agents[0]?.streams ?? []) {
      if (stream.taken) continue;
      stream.taken = true;
      stream.fail('busy');
    }
    await rig.pass(500);
    agents[0]?.report(rig.models);
    await delivered();
  }
  expect(refusalOf(await seen)).toEqual([503, 'overloaded']);
  expect(breakers()).toEqual(['closed']);
});

test('an organization whose requests alone fail takes a lone worker from nobody, and the worker is probed', async () => {
  for (const agent of agents.slice(1)) agent.drop();
  const [lone] = agents as [ScriptedAgent];
  const innocent = await rig.customer(10n ** 12n);
  for (let round = 0; round < 12; round++) {
    const failed = ask();
    (await taken()).stream.fail('engine');
    expect((await failed).status).toBe(502);
    await rig.pass(700);
    // Probes are answered as well.
    for (const stream of lone.streams) {
      if (stream.taken || !stream.open.request.startsWith('probe-')) continue;
      stream.taken = true;
      stream.finish(5, 1, { finish: 'length' });
    }
    await delivered();
    if (round % 4 !== 3) continue;
    const good = rig.post(innocent).then((response) => readStream(response));
    serve((await taken()).stream);
    expect((await good).done).toBe(true);
  }
  expect(lone.streams.some(({ open }) => open.request.startsWith('probe-'))).toBe(true);
  expect(rig.fleet.breakerTransitions.open).toBe(0);
});

test('a probe that fails leaves out a worker that one organization alone saw fail', async () => {
  for (const agent of agents.slice(1)) agent.drop();
  const [lone] = agents as [ScriptedAgent];
  for (let failure = 0; failure < 3; failure++) {
    const failed = ask();
    (await taken()).stream.fail('engine');
    await failed;
    await rig.pass(10);
  }
  expect(breakers()).toEqual(['closed']);
  await rig.pass(PROBE_AFTER_MS);
  const probe = await lone.next();
  expect(probe.open.request).toMatch(/^probe-/);
  probe.fail('engine');
  expect(breakers()).toEqual(['open']);
});

test('requests that kill engines take no worker from the others', async () => {
  for (let round = 0; round < 6; round++) await failing(({ stream }) => stream.fail('engine_died'));
  expect(new Set(breakers())).toEqual(new Set(['closed']));
});

test('a worker that fails what others can serve gets nothing more, is probed, and comes back by halves', async () => {
  const [sick] = agents as [ScriptedAgent];
  const worker = [...rig.fleet.workers].find(({ session }) => session.agent === 'agt_one');
  // Failures of two organizations. Most requests go to other workers, and each that reaches this
  // worker adds a failure.
  const customers = [customer, await rig.customer(10n ** 12n)];
  for (let failures = 0; worker?.breaker.state === 'closed'; ) {
    const seen = ask(customers[failures % 2]);
    let next = await taken();
    if (next.agent === sick) {
      failures += 1;
      next.stream.fail();
      await rig.pass(1);
      next = await taken();
    }
    serve(next.stream);
    expect((await seen).done).toBe(true);
    await rig.pass(1);
  }
  expect(worker).toMatchObject({ slots: 0, breaker: { state: 'open' } });
  expect(rig.fleet.serving(rig.models[0], 'global')).not.toContain(worker);

  await rig.pass(PROBE_AFTER_MS);
  const probe = await sick.next();
  expect(probe.open).toMatchObject({ maxTokens: 1, grant: { tokens: 1, final: true } });
  expect(worker?.breaker.state).toBe('probing');
  expect(worker?.inFlight).toBe(1);
  probe.finish(5, 1, { finish: 'length' });
  await delivered();
  expect(worker?.inFlight).toBe(0);
  expect(worker).toMatchObject({ slots: 13, breaker: { state: 'returning', share: 1 / 8 } });
  expect(rig.fleet.breakerTransitions).toMatchObject({
    open: 1,
    probing: 1,
    returning: 1,
    closed: 0,
  });
});

test('a probe that is not answered in time leaves the worker out, and is made again', async () => {
  const worker = [...rig.fleet.workers][0];
  if (!worker) throw new Error('the fleet has workers');
  const { clock } = rig.books;
  for (let failure = 0; failure < 3; failure++) {
    await rig.pass(10);
    const organization = `org_${failure % 2}`;
    worker.breaker.failed(organization, clock.monotonic() - 1, clock.monotonic());
  }
  await rig.pass(PROBE_AFTER_MS);
  const probe = await (agents[0] as ScriptedAgent).next();
  expect(worker.breaker.state).toBe('probing');
  await rig.pass(10_250);
  expect(worker.breaker.state).toBe('open');
  expect(probe.isCancelled).toBe(true);
  probe.finish(5, 1);
  expect(worker.breaker.state).toBe('open');
  await rig.pass(1_250);
  expect((await (agents[0] as ScriptedAgent).next()).open.maxTokens).toBe(1);
});

test('with every worker of a model left out the answer is 503 with Retry-After', async () => {
  const { clock } = rig.books;
  for (const { breaker } of rig.fleet.workers) {
    for (let failure = 0; failure < 3; failure++) {
      await rig.pass(10);
      breaker.failed(`org_${failure % 2}`, clock.monotonic() - 1, clock.monotonic());
    }
  }
  const response = await rig.post(customer);
  expect(response.headers.get('retry-after')).toBe('5');
  expect(refusalOf(await readStream(response))).toEqual([503, 'no_worker']);
});
