/** Which worker a request goes to, over the whole request path: several workers, one router. */
import { expect, test } from 'vitest';
import type { Worker } from '../../../router/fleet/worker.ts';
import { unpackChunks } from '../../../router/routing/prompt.ts';
import { limits } from '../../../shared/limits.ts';
import type { WorkerLoad } from '../../../shared/wire/messages.ts';
import { readStream } from '../../support/sse.ts';
import { refusalOf, RequestRig, SEEING } from './rig.ts';
import { type AgentStream, ScriptedAgent } from './scripted-agent.ts';

const RICH = 10n ** 13n;

async function startFleet(workers: number, load: Partial<WorkerLoad> = {}) {
  const rig = await RequestRig.start();
  const others = Array.from(
    { length: workers - 1 },
    (_, index) => new ScriptedAgent(rig.fleet, rig.books, `other-${index}`),
  );
  const agents = [rig.agent, ...others];
  for (const agent of agents) agent.report(rig.models, load);
  return {
    rig,
    agents,
    opened: () => agents.map(({ streams }) => streams.length),
    /** The next request, whichever agent gets it. */
    async next(): Promise<AgentStream> {
      const find = () => agents.flatMap(({ streams }) => streams).find(({ taken }) => !taken);
      await rig.until(() => find() !== undefined);
      const stream = find() as AgentStream;
      stream.taken = true;
      return stream;
    },
    async [Symbol.asyncDispose]() {
      for (const agent of agents) agent.drop();
      await rig[Symbol.asyncDispose]();
    },
  };
}

function chat(text: string) {
  return { messages: [{ role: 'user', content: text }] };
}

function words(seed: string, count: number): string {
  return `${seed} `.repeat(count);
}

function serve(stream: AgentStream, prompt: number, cached = 0): void {
  stream.content(prompt, 1);
  stream.finish(prompt, 1, { cached });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

test('a burst of 800 cold prompts spreads over eight equal workers within one request', async () => {
  await using fleet = await startFleet(8, { slots: 200 });
  const { rig, agents, opened } = fleet;
  const customer = await rig.customer(RICH);
  const asked = Array.from({ length: 800 }, (_, index) =>
    rig.post(customer, { ...chat(words(`prompt ${100 + index}`, 250)), max_tokens: 5 }),
  );
  await rig.until(() => sum(opened()) === 800);
  expect(Math.max(...opened()) - Math.min(...opened())).toBeLessThanOrEqual(1);
  for (const { streams } of agents) for (const stream of streams) serve(stream, 700);
  for (const response of await Promise.all(asked))
    expect((await readStream(response)).done).toBe(true);
}, 60_000);

test('a conversation goes on where it began, and its worker is told what it should have', async () => {
  await using fleet = await startFleet(4);
  const { rig, agents, opened } = fleet;
  const customer = await rig.customer(RICH);
  const text = words('A long story', 2_000);
  const tell = async (more: string) => {
    const before = opened();
    const seen = rig.post(customer, chat(text + more)).then(readStream);
    await rig.until(() => sum(opened()) === sum(before) + 1);
    const at = opened().findIndex((count, index) => count > (before[index] as number));
    const stream = agents[at]?.streams.at(-1) as AgentStream;
    serve(stream, 6_500);
    await seen;
    await rig.ended();
    return { at, open: stream.open };
  };
  const first = await tell('.');
  expect(first.open.uncachedTokens).toBe(first.open.promptTokens);
  expect(unpackChunks(first.open.chunks).chunks).toHaveLength(2 * 26);
  for (let i = 0; i < 5; i++) {
    const { at, open } = await tell(`, ${i} times.`);
    expect(at).toBe(first.at);
    expect(open.uncachedTokens).toBeLessThan(0.1 * open.promptTokens);
  }
});

test('what another router sent to a worker makes the same prompt go there, too', async () => {
  await using fleet = await startFleet(4);
  const { rig, agents, opened } = fleet;
  const customer = await rig.customer(RICH);
  const fields = chat(words('Known elsewhere', 2_000));
  // The first request shows how this prompt is hashed. Its worker then has the prompt, and the
  // others learn of it by echo.
  const first = rig.post(customer, fields).then(readStream);
  await rig.until(() => sum(opened()) === 1);
  const home = opened().indexOf(1);
  const { open } = (agents[home] as ScriptedAgent).streams[0] as AgentStream;
  const there = (home + 1) % 4;
  const worker = there === 0 ? 'one' : `other-${there - 1}`;
  agents[there]?.say({
    type: 'echo',
    worker,
    events: [
      {
        at: 'dispatched',
        from: 'inc_other',
        stream: 1,
        chunks: open.chunks,
        promptTokens: open.promptTokens,
        uncachedTokens: open.promptTokens,
      },
      { at: 'first_token', from: 'inc_other', stream: 1 },
      { at: 'over', from: 'inc_other', stream: 1 },
    ],
  });
  // The first request still waits for its prefill, while the prefill of the other router's request
  // is done.
  const second = rig.post(customer, fields).then(readStream);
  await rig.until(() => sum(opened()) === 2);
  expect(opened()[there]).toBe(1);
  for (const { streams } of agents) for (const stream of streams) serve(stream, 7_000);
  await Promise.all([first, second]);
});

test('an engine without salts: nothing is charged as cached that the organization did not send there', async () => {
  await using fleet = await startFleet(1, { salted: false, prefixQueryTokens: 5 });
  const { rig } = fleet;
  const fields = chat(words('word', 2_000));
  const cachedFor = async (customer: Awaited<ReturnType<RequestRig['customer']>>) => {
    const { stream, seen } = await rig.begin(customer, fields);
    serve(stream, 2_000, 1_990);
    return (await seen).usage?.prompt_tokens_details?.cached_tokens;
  };
  const [one, other] = [await rig.customer(RICH), await rig.customer(RICH)];
  const before = await rig.clamped('cached_clamped');
  expect(await cachedFor(one)).toBe(0);
  // Now the very same prompt was sent before.
  expect(await cachedFor(one)).toBe(1_990);
  expect(await cachedFor(other)).toBe(0);
  // A hit of what another organization sent is not a false report.
  expect(await rig.clamped('cached_clamped')).toBe(before);
});

test('an engine without salts: a prompt that goes on has its whole chunks cached, a short one that is repeated all of it', async () => {
  await using fleet = await startFleet(1, { salted: false, prefixQueryTokens: 5 });
  const { rig } = fleet;
  const customer = await rig.customer(RICH);
  const before = await rig.clamped('cached_clamped');
  const cachedFor = async (text: string, prompt: number, cached: number) => {
    const { stream, seen } = await rig.begin(customer, chat(text));
    serve(stream, prompt, cached);
    return (await seen).usage?.prompt_tokens_details?.cached_tokens;
  };
  const long = words('word', 2_000);
  expect(await cachedFor(long, 2_000, 0)).toBe(0);
  const goesOn = await cachedFor(`${long}and more`, 2_002, 2_000);
  expect(goesOn).toBeGreaterThan(1_700);
  expect(goesOn).toBeLessThan(2_000);
  const short = words('brief', 100);
  expect(await cachedFor(short, 241, 0)).toBe(0);
  expect(await cachedFor(short, 241, 240)).toBe(240);
  expect(await cachedFor(`${short}and more`, 243, 240)).toBe(0);
  expect(await rig.clamped('cached_clamped')).toBe(before);
  // More than the whole prompt is false on any engine.
  expect(await cachedFor(short, 241, 500)).toBe(241);
  expect(await rig.clamped('cached_clamped')).toBe(before + 1);
});

test('an engine without salts that was restarted has nothing of what it was sent before', async () => {
  await using fleet = await startFleet(1, {
    salted: false,
    prefixQueryTokens: 5,
    boot: 'boot-one',
  });
  const { rig } = fleet;
  const customer = await rig.customer(RICH);
  const cachedFor = async () => {
    const { stream, seen } = await rig.begin(customer, chat(words('brief', 100)));
    serve(stream, 241, 240);
    return (await seen).usage?.prompt_tokens_details?.cached_tokens;
  };
  expect(await cachedFor()).toBe(0);
  expect(await cachedFor()).toBe(240);
  rig.agent.report(rig.models, { salted: false, prefixQueryTokens: 5, boot: 'boot-two' });
  expect(await cachedFor()).toBe(0);
});

test('a client that leaves leaves nothing behind in the forecast', async () => {
  await using fleet = await startFleet(1);
  const { rig } = fleet;
  const customer = await rig.customer(RICH);
  const { stream, leave } = await rig.begin(customer, chat(words('word', 2_000)));
  const { forecast } = [...rig.fleet.workers][0] as Worker;
  expect(forecast).toMatchObject({ inFlight: 1, pending: 1 });
  stream.content(2_000, 1);
  expect(forecast).toMatchObject({ inFlight: 1, pending: 0 });
  leave();
  await stream.cancelled();
  stream.stop(2_000, 1);
  await rig.ended();
  expect(forecast).toMatchObject({ inFlight: 0, pending: 0, contextTokens: 0 });
});

test('an image that two prompts share is not taken for most of them, nor for none', async () => {
  await using fleet = await startFleet(1);
  const { rig } = fleet;
  const customer = await rig.customer(RICH);
  const url = `data:image/png;base64,${'A'.repeat(1_000_000)}`;
  const ask = async (text: string) => {
    const content = [
      { type: 'image_url', image_url: { url } },
      { type: 'text', text },
    ];
    const messages = [{ role: 'user', content }];
    const { stream, seen } = await rig.begin(customer, { model: SEEING, messages, max_tokens: 2 });
    serve(stream, 11_600);
    await seen;
    return stream.open;
  };
  await ask(words('other', 8_000));
  const apart = await ask(words('water', 8_000));
  expect(apart.uncachedTokens).toBe(apart.promptTokens);
  const again = await ask(words('water', 8_000));
  expect(again.uncachedTokens).toBeLessThan(0.1 * again.promptTokens);
});

/** As the agent of an engine reports it whose context is shorter than the catalog's. */
const SHORT = { contextLength: 8_192 };

test('what exceeds the shorter context of a worker is tried on another, and then refused for it', async () => {
  await using fleet = await startFleet(2);
  const { rig } = fleet;
  const customer = await rig.customer(RICH);
  const served = rig.post(customer, chat('Hi.')).then(readStream);
  (await fleet.next()).fail('context_length', SHORT);
  serve(await fleet.next(), 20_000);
  expect((await served).done).toBe(true);
  const refused = rig.post(customer, chat('Hi.'));
  for (let worker = 0; worker < 2; worker++) (await fleet.next()).fail('context_length', SHORT);
  const response = await refused;
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('maximum context length is 8192 tokens');
});

test('a worker with the context is found beside several that have a shorter one', async () => {
  const short = limits.attemptsMax + 1;
  await using fleet = await startFleet(short + 1);
  const { rig } = fleet;
  const served = rig.post(await rig.customer(RICH), chat('Hi.')).then(readStream);
  for (let worker = 0; worker < short; worker++) {
    (await fleet.next()).fail('context_length', SHORT);
  }
  serve(await fleet.next(), 20_000);
  expect((await served).done).toBe(true);
});

test('what exceeds a shorter context is not refused for it after a worker failed that may have more', async () => {
  await using fleet = await startFleet(2);
  const { rig } = fleet;
  const seen = rig.post(await rig.customer(RICH), chat('Hi.')).then(readStream);
  (await fleet.next()).fail('engine');
  (await fleet.next()).fail('context_length', SHORT);
  expect(refusalOf(await seen)).toEqual([502, 'engine_failed']);
});

test('what exceeds a shorter context is not refused for it while a worker has no room that may have more', async () => {
  await using fleet = await startFleet(2, { slots: 1 });
  const { rig } = fleet;
  const customer = await rig.customer(RICH);
  const running = rig.post(customer, chat('Hi.')).then(readStream);
  const first = await fleet.next();
  const late = rig.post(customer, chat('Hello.')).then(readStream);
  (await fleet.next()).fail('context_length', SHORT);
  await rig.until(() => rig.waitingFor(rig.models[0]) === 1);
  await rig.pass(31_000);
  expect(refusalOf(await late)).toEqual([503, 'overloaded']);
  serve(first, 20_000);
  expect((await running).done).toBe(true);
});
