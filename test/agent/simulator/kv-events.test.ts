import { decode } from '@msgpack/msgpack';
import { expect, test } from 'vitest';
import { Subscriber } from 'zeromq';
import { SimOptions } from '../../../agent/simulator/options.ts';
import { FIRST_TEXT_TOKEN } from '../../../agent/simulator/text/tokenizer.ts';
import { chatBody, PLAIN, type Rig, startRig } from './rig.ts';

const ENDPOINT = { kvEventsEndpoint: 'tcp://127.0.0.1:0' };
const LONG = `${'All the boats of the harbour lie still. '.repeat(20)} Write exactly 40 tokens.`;

interface Event {
  type: string;
  block_hashes: number[];
  parent_block_hash: number | null;
  token_ids: number[];
  block_size: number;
  extra_keys: (string[] | null)[];
}

/**
 * Token ids from here to the first id of text are unused. A reader sends them as a marker, to see
 * how far it has read.
 */
const FENCE = 20;

/** A real subscriber, which is connected when it is returned: it has received a batch. */
class Reader implements Disposable {
  readonly #socket = new Subscriber();
  readonly #all: Event[] = [];
  readonly numbers: bigint[] = [];
  #fence = FENCE;

  static async on(rig: Rig): Promise<Reader> {
    const reader = new Reader();
    reader.#socket.connect(rig.kvEventsEndpoint);
    reader.#socket.subscribe('');
    // A publisher does not know its subscribers at once, so repeat until one batch is received.
    let isHeard = false;
    void reader.#next().then(() => (isHeard = true));
    for (let at = 0; !isHeard; at++) await rig.chat(`${at} ${'hello '.repeat(20)}`);
    return reader;
  }

  /**
   * Everything that was published since `clear`, including the blocks of the reader's own requests.
   */
  async all(rig: Rig): Promise<readonly Event[]> {
    const prompt = Array.from({ length: 17 }, () => this.#fence);
    await rig.send('/v1/completions', { model: PLAIN, prompt, max_tokens: 1 });
    while (this.#all.at(-1)?.token_ids?.[0] !== this.#fence) await this.#next();
    this.#fence++;
    return [...this.#all];
  }

  async events(rig: Rig): Promise<readonly Event[]> {
    const all = await this.all(rig);
    const isFence = (token = 0) => token >= FENCE && token < FIRST_TEXT_TOKEN;
    return all.filter(({ token_ids: tokens }) => !isFence(tokens?.[0]));
  }

  async clear(rig: Rig): Promise<void> {
    await this.all(rig);
    this.#all.length = 0;
  }

  async #next(): Promise<void> {
    const [topic, number, payload] = await this.#socket.receive();
    expect([topic?.toString(), number?.length]).toEqual(['', 8]);
    this.numbers.push((number as Buffer).readBigUInt64BE());
    const [ts, events, rank] = decode(payload as Buffer) as [number, Event[], number];
    expect([typeof ts, rank]).toEqual(['number', 0]);
    this.#all.push(...events);
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}

test('what is cached is told: blocks in a chain, with the tokens of prompt and answer', async () => {
  await using rig = await startRig(ENDPOINT);
  using reader = await Reader.on(rig);
  await reader.clear(rig);
  const messages = [{ role: 'user', content: LONG }];
  const prompt = JSON.parse((await rig.send('/tokenize', { messages })).text).tokens;
  const { usage } = (await rig.chat(LONG)).whole();
  const events = await reader.events(rig);
  const tokens = events.flatMap((event) => event.token_ids);
  // The last sampled token is never computed, and only full blocks are published.
  expect(tokens).toHaveLength(Math.floor(((usage?.total_tokens ?? 0) - 1) / 16) * 16);
  expect(tokens.slice(0, prompt.length)).toEqual(prompt);
  let parent: number | null = null;
  for (const event of events) {
    expect(event).toMatchObject({ type: 'BlockStored', block_size: 16, parent_block_hash: parent });
    expect(event.token_ids).toHaveLength(event.block_hashes.length * 16);
    parent = event.block_hashes.at(-1) ?? null;
  }
  await reader.clear(rig);
  await rig.chat(LONG);
  expect(await reader.events(rig)).toEqual([]);
  // Nothing was missed: the sequence numbers increase by one.
  const [first = 0n] = reader.numbers;
  expect(reader.numbers).toEqual(reader.numbers.map((_, index) => first + BigInt(index)));
});

test('a salt is told with the first block, and makes other blocks', async () => {
  await using rig = await startRig(ENDPOINT);
  using reader = await Reader.on(rig);
  const hashes: number[][] = [];
  for (const cache_salt of ['one', 'two']) {
    await reader.clear(rig);
    await rig.chat(LONG, { cache_salt, max_tokens: 1 });
    const [event, ...more] = await reader.events(rig);
    expect(more).toEqual([]);
    const [firstKeys, ...otherKeys] = event?.extra_keys ?? [];
    expect(firstKeys).toEqual([cache_salt]);
    expect(otherKeys.every((keys) => keys === null)).toBe(true);
    hashes.push(event?.block_hashes ?? []);
  }
  expect(hashes[0]?.length).toBeGreaterThan(5);
  expect(hashes[0]?.some((hash) => hashes[1]?.includes(hash))).toBe(false);
});

test('what is evicted is told, so that a reader knows what the cache holds', async () => {
  await using rig = await startRig({ ...ENDPOINT, kvBlocks: 40 });
  using reader = await Reader.on(rig);
  await rig.send('/reset_prefix_cache', {});
  for (let round = 0; round < 4; round++) await rig.chat(`${round} ${LONG}`);
  const all = await reader.all(rig);
  const cleared = all.findLastIndex(({ type }) => type === 'AllBlocksCleared');
  expect(cleared).toBeGreaterThanOrEqual(0);
  const since = all.slice(cleared + 1);
  expect(since.some(({ type }) => type === 'BlockRemoved')).toBe(true);
  const held = new Set<number>();
  for (const { type, block_hashes: hashes } of since) {
    for (const hash of hashes) {
      // A removed block was there, and a stored one was not.
      expect(held.has(hash)).toBe(type === 'BlockRemoved');
      if (type === 'BlockRemoved') held.delete(hash);
      else held.add(hash);
    }
    expect(held.size).toBeLessThanOrEqual(40);
  }
});

test('older versions write arrays', async () => {
  await using rig = await startRig({ ...ENDPOINT, kvEventsForm: 'array' });
  const heard = new Subscriber();
  heard.connect(rig.kvEventsEndpoint);
  heard.subscribe('');
  let batch: unknown = null;
  void heard.receive().then(([, , payload]) => (batch = decode(payload as Buffer)));
  for (let at = 0; batch === null; at++) {
    await rig.send('/v1/chat/completions', chatBody(`${at} ${'hello '.repeat(20)}`));
  }
  heard.close();
  const event = ['BlockStored', expect.any(Array), null, expect.any(Array), 16];
  expect(batch).toEqual([expect.any(Number), [expect.arrayContaining(event)], 0]);
});

test.each(['tcp://0.0.0.0:5557', 'tcp://*:5557', 'tcp://10.0.0.1:5557', 'ipc:///tmp/kv'])(
  'events are for loopback only: %s is refused',
  (kvEventsEndpoint) => {
    const { success } = SimOptions.safeParse({ model: ['m'], kvEventsEndpoint });
    expect(success).toBe(false);
  },
);
