/** Who is to blame for a failure, on the whole way of a request with agents that do what the test says. */
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

/** Resolves once an agent has a request that was not taken; takes none, so that it may be waited for in vain. */
async function waiting(): Promise<void> {
  await Promise.race(
    agents.map((one) => one.gate.until(() => one.streams.some((stream) => !stream.taken))),
  );
}

/** The next request, and the agent that has it. */
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

/** What clients' libraries are told of sending the last request again by themselves. */
let shouldRetry: string | null;

async function ask(): Promise<Seen> {
  const response = await rig.post(customer);
  shouldRetry = response.headers.get('x-should-retry');
  return await readStream(response);
}

function breakers(): string[] {
  return [...rig.fleet.workers].map(({ breaker }) => breaker.state);
}

/** One request that fails so on each worker that it is given to, before its first byte. */
async function failing(fail: (on: Taken) => void): Promise<Seen> {
  const seen = ask();
  let isOver = false;
  const over = seen.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await Promise.race([waiting(), over]);
    if (isOver) break;
    // The next attempt begins later than this failure.
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

test.each(['engine', 'busy'] as const)(
  'one that only fails (%s) is tried on three workers, and none of them is blamed',
  async (reason) => {
    for (let round = 0; round < 8; round++) {
      let attempts = 0;
      const seen = await failing(({ stream }) => {
        attempts += 1;
        stream.fail(reason);
      });
      expect(attempts).toBe(3);
      expect(seen.status).toBeGreaterThanOrEqual(502);
    }
    expect(new Set(breakers())).toEqual(new Set(['closed']));
  },
);

test('requests that kill engines take no worker from the others', async () => {
  for (let round = 0; round < 6; round++) await failing(({ stream }) => stream.fail('engine_died'));
  expect(new Set(breakers())).toEqual(new Set(['closed']));
});

test('a worker that fails what others can serve gets nothing more, is probed, and comes back by halves', async () => {
  const [sick] = agents as [ScriptedAgent];
  const worker = [...rig.fleet.workers].find(({ session }) => session.agent === 'agt_one');
  const serve = ({ stream }: Taken) => {
    stream.content(PROMPT, 1);
    stream.finish(PROMPT, 2);
  };
  // Most requests go to others; of those that it is given, each is one failure more.
  while (worker?.breaker.state === 'closed') {
    const seen = ask();
    let next = await taken();
    if (next.agent === sick) {
      next.stream.fail();
      await rig.pass(1);
      next = await taken();
    }
    serve(next);
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
  expect(rig.fleet.breakerTurns).toMatchObject({ open: 1, probing: 1, returning: 1, closed: 0 });
});

test('a probe that is not answered in time leaves the worker out, and is made again', async () => {
  const worker = [...rig.fleet.workers][0];
  if (!worker) throw new Error('the fleet has workers');
  const { clock } = rig.books;
  for (let failure = 0; failure < 3; failure++) {
    await rig.pass(10);
    worker.breaker.failed(clock.monotonic() - 1, clock.monotonic());
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
      breaker.failed(clock.monotonic() - 1, clock.monotonic());
    }
  }
  const response = await rig.post(customer);
  expect(response.headers.get('retry-after')).toBe('5');
  expect(refusalOf(await readStream(response))).toEqual([503, 'no_worker']);
});
