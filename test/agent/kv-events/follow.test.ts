/** An agent that follows the KV events of the real simulator, and of publishers that break rules. */
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from '@msgpack/msgpack';
import { expect, test } from 'vitest';
import { Publisher, Router } from 'zeromq';
import type { EngineConfig } from '../../../agent/config.ts';
import { Engine } from '../../../agent/engine/engine.ts';
import { LATE_MS_MAX } from '../../../agent/engine/kv-events/evictions.ts';
import { KvEventsFollower } from '../../../agent/engine/kv-events/follow.ts';
import { SOCKET } from '../../../agent/engine/kv-events/subscription.ts';
import { startSimulator } from '../../../agent/simulator/main.ts';
import { type Clock, systemClock } from '../../../shared/clock.ts';
import { makeLog } from '../../../shared/log.ts';
import { seededRandom } from '../../../shared/random.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { turn } from '../support/gate.ts';
import { agentConfig } from '../support/rig.ts';
import { chatOf, startSimulated } from '../support/simulated.ts';

const MODEL = 'Qwen/Qwen3-235B-A22B-Instruct-2507';
const ANY_PORT = 'tcp://127.0.0.1:0';
const PARTS = { clock: systemClock, random: seededRandom(1), log: makeLog('agent', 'silent') };

type Sockets = Readonly<{ endpoint: string; replay?: string }>;

/** A follower of an engine that nobody watches. Its backoff is short. */
async function follow({ endpoint, replay }: Sockets, clock: Clock = systemClock) {
  const kvEvents = { endpoint, ...(replay !== undefined && { replay }) };
  await using undo = new AsyncDisposableStack();
  const engines = [{ name: 'engine', url: 'http://127.0.0.1:1', kvEvents }];
  const config = agentConfig({ data: '/nowhere', routers: ['ws://127.0.0.1:1/agent'], engines });
  const settings = config.engines[0] as EngineConfig;
  const engine = undo.use(new Engine(settings, systemClock));
  const follower = undo.use(
    new KvEventsFollower(engine, settings.kvEvents ?? kvEvents, { ...PARTS, clock }),
  );
  const owned = undo.move();
  return { follower, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** A simulator with a cache of 64 blocks, and its KV events. */
async function simulate(more: object = {}) {
  const engine = await startSimulator(
    {
      port: 0,
      model: [MODEL],
      tokenMs: 1,
      prefillUs: 1,
      kvBlocks: 64,
      kvEventsEndpoint: ANY_PORT,
      kvReplayEndpoint: ANY_PORT,
      ...more,
    },
    PARTS,
  );
  let sent = 0;
  return {
    endpoint: engine.kvEventsEndpoint ?? '',
    replay: engine.kvReplayEndpoint ?? '',
    /** Sends a prompt of about forty blocks that has never been sent before. */
    async chat(): Promise<void> {
      const content = `${sent++} ${'All the boats of the harbour lie still. '.repeat(60)}`;
      const body = { model: MODEL, messages: [{ role: 'user', content }], max_tokens: 1 };
      const headers = { 'content-type': 'application/json' };
      const url = `${engine.url}/v1/chat/completions`;
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(answer.status).toBe(200);
      await answer.text();
    },
    clear: () => fetch(`${engine.url}/reset_prefix_cache`, { method: 'POST' }),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

test.each(['map', 'array'])('what the simulator evicts moves the horizon (%s)', async (form) => {
  await using sim = await simulate({ kvEventsForm: form });
  await using following = await follow(sim);
  const { follower } = following;
  expect(follower.report()).toBeUndefined();
  const start = systemClock.monotonic();
  while ((follower.report()?.evictedMs ?? null) === null) await sim.chat();
  const evictedMs = follower.report()?.evictedMs ?? 0;
  expect(evictedMs).toBeLessThanOrEqual(systemClock.monotonic() - start + 1_001);
  expect(follower.note(1_000_000)).toBeNull();
});

test('a cache that is cleared has nothing of before', async () => {
  await using sim = await simulate({ kvBlocks: 8_192 });
  await using following = await follow(sim);
  const { follower } = following;
  while (follower.report() === undefined) await sim.chat();
  expect(follower.report()).toEqual({ evictedMs: null });
  await sim.clear();
  // The event is published with the next step.
  while ((follower.report()?.evictedMs ?? null) === null) await sim.chat();
});

test('batches that were missed are replayed, so that every eviction is known', async () => {
  await using lossy = await simulate({ kvEventsLoseEvery: 2 });
  await using following = await follow(lossy);
  const { follower } = following;
  while ((follower.report()?.evictedMs ?? null) === null) await lossy.chat();
  expect(follower.note(0)).toBeNull();
});

test('without a replay socket, the horizon is known from what arrives', async () => {
  await using lossy = await simulate({ kvEventsLoseEvery: 3 });
  await using following = await follow({ endpoint: lossy.endpoint });
  const { follower } = following;
  while ((follower.report()?.evictedMs ?? null) === null) await lossy.chat();
});

/** ZeroMQ frees an address some time after the socket was closed. */
async function simulateAt(endpoint: string): ReturnType<typeof simulate> {
  for (;;) {
    try {
      return await simulate({ kvEventsEndpoint: endpoint });
    } catch (error) {
      if (!(error instanceof Error && error.message === 'Address already in use')) throw error;
      await turn();
    }
  }
}

test('an engine that comes back at the same address is followed on', async () => {
  const first = await simulate();
  const { endpoint } = first;
  await using following = await follow({ endpoint });
  const { follower } = following;
  while (follower.report() === undefined) await first.chat();
  await first[Symbol.asyncDispose]();
  await using second = await simulateAt(endpoint);
  while ((follower.report()?.evictedMs ?? null) === null) await second.chat();
  expect(follower.note(0)).toBeNull();
});

async function publish(at = ANY_PORT) {
  const socket = new Publisher({ linger: 0 });
  await socket.bind(at);
  return {
    endpoint: socket.lastEndpoint ?? '',
    /** Publishes a message again and again until `holds`, because a publisher waits for nobody. */
    async until(holds: () => boolean, message: (nth: number) => (Buffer | string)[]) {
      for (let nth = 0; !holds(); nth++) {
        await socket.send(message(nth));
        await turn();
      }
    },
    [Symbol.dispose]: () => socket.close(),
  };
}

function numbered(number: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
}

const LEVELS = Buffer.concat([Buffer.from([0x93, 0x01]), Buffer.alloc(1024 * 1024 - 3, 0x91)]);
const STORED = Buffer.from(encode([1, [['BlockStored', [1], null, [], 16, null]], 0]));

test.each([
  ['bytes that are no batch', () => ['', numbered(1), Buffer.from('rubbish')], 'array'],
  ['a message of one frame', () => ['rubbish'], 'three frames'],
  ['a number of three bytes', () => ['', Buffer.alloc(3), STORED], 'sequence number'],
  ['a million levels', () => ['', numbered(1), LEVELS], 'cut short'],
] as const)('%s are a note for the operator, and what is good later is read', async (...given) => {
  const [, message, fault] = given;
  using engine = await publish();
  await using following = await follow(engine);
  const { follower } = following;
  await engine.until(
    () => follower.note(0) !== null,
    () => [...message()],
  );
  expect(follower.note(0)).toContain(fault);
  expect(follower.note(0)).toContain('can only estimate');
  expect(follower.report()).toBeUndefined();
  await engine.until(
    () => follower.note(0) === null,
    (nth) => ['', numbered(nth), STORED],
  );
  expect(follower.report()).toEqual({ evictedMs: null });
});

test('a Unix socket, which the engine makes later, is followed', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'penstock-'));
  const endpoint = `ipc://${join(folder.path, 'kv-events')}`;
  await using following = await follow({ endpoint });
  const { follower } = following;
  using engine = await publish(endpoint);
  await engine.until(
    () => follower.report() !== undefined,
    (nth) => ['', numbered(nth), STORED],
  );
  expect(follower.note(0)).toBeNull();
});

test('gaps without end, and numbers that go back, break nothing', async () => {
  using engine = await publish();
  const { endpoint } = engine;
  await using following = await follow({ endpoint, replay: 'tcp://127.0.0.1:1' });
  const { follower } = following;
  await engine.until(
    () => follower.report() !== undefined,
    (nth) => ['', numbered(nth % 2 === 0 ? nth * 1_000 : 0), STORED],
  );
  expect(follower.note(0)).toBeNull();
});

/** Replays batches by their numbers, up to the one that was published last. */
async function serveReplays(batchAt: (number: number) => Buffer, last: () => number) {
  const socket = new Router({ linger: 0 });
  await socket.bind(ANY_PORT);
  const serve = async () => {
    for await (const [client = '', empty = '', first] of socket) {
      const from = Number(first?.readBigUInt64BE());
      for (let number = from; number <= last(); number++) {
        await socket.send([client, empty, numbered(number), batchAt(number)]);
      }
    }
  };
  const served = serve();
  return {
    endpoint: socket.lastEndpoint ?? '',
    async [Symbol.asyncDispose]() {
      socket.close();
      await served;
    },
  };
}

const batch = (seconds: number, ...event: readonly unknown[]) =>
  Buffer.from(encode([seconds, [event], 0]));
const stored = (seconds: number, block: number) =>
  batch(seconds, 'BlockStored', [block], null, [], 16, null);

test('what is replayed on the next connection has the time at which it was written', async () => {
  const clock = new ManualClock();
  using engine = await publish();
  let last = 0;
  let missed = Number.POSITIVE_INFINITY;
  const kept = (number: number) => (number === missed ? stored(1, 2) : stored(0, 1));
  await using replays = await serveReplays(kept, () => last);
  const sockets = { endpoint: engine.endpoint, replay: replays.endpoint };
  await using following = await follow(sockets, clock);
  const { follower } = following;
  const message = (payload: Buffer) => ['', numbered(++last), payload];
  await engine.until(
    () => follower.report() !== undefined,
    () => message(stored(0, 1)),
  );
  missed = last + 1;
  const tooLarge = Buffer.alloc(SOCKET.maxMessageSize + 1);
  await engine.until(
    () => follower.report() === undefined,
    () => ['', numbered(missed), tooLarge],
  );
  last = missed;
  // Block 2 is stored after a second, and evicted after a minute.
  clock.advance(60_000);
  await engine.until(
    () => (follower.report()?.evictedMs ?? null) !== null,
    () => message(batch(60, 'BlockRemoved', [2])),
  );
  expect(follower.report()).toEqual({ evictedMs: 59_000 + LATE_MS_MAX });
});

test('an engine that was restarted may have a clock that is an hour behind', async () => {
  const clock = new ManualClock();
  clock.advance(20_000);
  using engine = await publish();
  await using following = await follow(engine, clock);
  const { follower } = following;
  await engine.until(
    () => follower.report() !== undefined,
    (nth) => ['', numbered(100 + nth), stored(3_600, 1)],
  );
  await engine.until(
    () => (follower.report()?.evictedMs ?? null) !== null,
    (nth) => ['', numbered(nth), nth % 2 === 0 ? stored(20, 2) : batch(20, 'BlockRemoved', [2])],
  );
  expect(follower.report()).toEqual({ evictedMs: LATE_MS_MAX });
});

test('the operator learns that no events arrive from an engine that works', async () => {
  await using following = await follow({ endpoint: 'tcp://127.0.0.1:1' });
  const { follower } = following;
  expect(follower.note(500_000)).toBeNull();
  expect(follower.note(510_000)).toBeNull();
  expect(follower.note(520_000)).toContain('no KV events arrive');
});

test('the load report has the horizon, and no token, salt or hash', async () => {
  await using rig = await startSimulated({ kvBlocks: 64, kvEventsEndpoint: ANY_PORT });
  const { session } = rig;
  const model = session.load()?.models[0] ?? '';
  for (let nth = 0; (session.load()?.kvEvents?.evictedMs ?? null) === null; nth++) {
    const content = `${nth} ${'All the boats of the harbour lie still. '.repeat(60)}`;
    const body = chatOf(model, { messages: [{ role: 'user', content }] });
    await session.open(body, { model, maxTokens: 1 }).ended();
  }
  expect(Object.keys(session.load()?.kvEvents ?? {})).toEqual(['evictedMs']);
});
