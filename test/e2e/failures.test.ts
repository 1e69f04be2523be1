/** What the client sees and what is charged when something fails (MONEY 15), on real processes. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { readStream, type Seen } from '../support/sse.ts';
import { until } from '../support/up.ts';
import { clearFaults, engine, setFault } from './shared-faults.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
const PRICE = { prompt: 200_000n, completion: 600_000n, cached: 50_000n };

const ask = (fields: object = {}, init: RequestInit = {}) =>
  up.post(
    '/chat/completions',
    {
      model: MODEL,
      messages: [{ role: 'user', content: 'Write 3000 words about rivers.' }],
      stream: true,
      stream_options: { include_usage: true },
      ...fields,
    },
    init,
  );

async function engineRunning(): Promise<number> {
  const response = await fetch(`${engine}/sim/requests`);
  const { running, waiting } = (await response.json()) as { running: number; waiting: number };
  return running + waiting;
}

async function usageOf(requestId: string | null) {
  return await until(
    async () => (await up.usage()).find((row) => row.request_id === requestId),
    `the usage row of ${requestId}`,
  );
}

async function noHoldIsLeft(): Promise<void> {
  await until(async () => (await up.credit()).held === '0', 'no hold');
  const verified = await up.verify();
  expect(verified.status, verified.output).toBe(0);
}

function pico(cost: string): bigint {
  const [whole = '0', fraction = ''] = cost.split('.');
  return BigInt(whole) * 10n ** 12n + BigInt(fraction.padEnd(12, '0'));
}

function isCut(seen: Seen): void {
  expect(seen.done).toBe(false);
  expect(seen.finish).toBeNull();
  expect(seen.raw).not.toContain('"error"');
}

/** Starts a stream, and resolves when some chunks have arrived. */
async function begin(chunks = 5, fields: object = {}, init: RequestInit = {}) {
  const response = await ask(fields, init);
  const enough = Promise.withResolvers<void>();
  let count = 0;
  const reading = readStream(response, () => {
    count += 1;
    if (count === chunks) enough.resolve();
  });
  await Promise.race([enough.promise, reading]);
  return { reading, requestId: response.headers.get('x-request-id') };
}

async function servesAgain(): Promise<void> {
  await until(
    // Read to its end, because a request that still runs would receive the next test's fault.
    async () => (await readStream(await ask({ max_tokens: 3 }))).done,
    'a request is served again',
    30_000,
  );
}

describe('processes that die under a stream', () => {
  test('MONEY 15: the engine killed mid-stream cuts the stream, and the answer is free', async () => {
    const { reading, requestId } = await begin();
    process.kill(up.ready.pids.sim, 'SIGKILL');
    isCut(await reading);
    expect(await usageOf(requestId)).toMatchObject({ cost: '0', status: 502 });
    await noHoldIsLeft();
    await servesAgain();
  });

  test('MONEY 15: the agent killed mid-stream cuts the stream, and the answer is free', async () => {
    const { reading, requestId } = await begin();
    const { agent } = up.ready.pids;
    process.kill(agent, 'SIGKILL');
    isCut(await reading);
    expect(await usageOf(requestId)).toMatchObject({ cost: '0', status: 502 });
    await until(async () => (await engineRunning()) === 0, 'the engine stops', 1_000);
    await noHoldIsLeft();
    await servesAgain();
  });
});

describe('a client that leaves', () => {
  test('MONEY 15: mid-stream stops the engine within a second, and pays for what was generated', async () => {
    const leaving = new AbortController();
    const { reading, requestId } = await begin(20, {}, { signal: leaving.signal });
    leaving.abort();
    await until(async () => (await engineRunning()) === 0, 'the engine stops', 1_000);
    const seen = await reading;
    const row = await usageOf(requestId);
    expect(row.status).toBe(499);
    expect(row.completion_tokens).toBeGreaterThanOrEqual(18);
    expect(row.completion_tokens).toBeLessThan(400);
    const { prompt_tokens: prompt, cached_tokens: cached, completion_tokens: completion } = row;
    expect(pico(row.cost)).toBe(
      BigInt(prompt - cached) * PRICE.prompt +
        BigInt(cached) * PRICE.cached +
        BigInt(completion) * PRICE.completion,
    );
    expect(seen.done).toBe(false);
    await noHoldIsLeft();
  });

  test("MONEY 15: before the first byte pays for its prompt, as the engine's tokenizer counts it", async () => {
    const leaving = new AbortController();
    // At 50 µs per token the prefill takes seconds.
    const content = `${'river '.repeat(60_000)} Write 10 words.`;
    const asked = ask({ messages: [{ role: 'user', content }] }, { signal: leaving.signal }).catch(
      () => null,
    );
    await until(async () => (await engineRunning()) === 1, 'the engine has it');
    const before = (await up.usage()).length;
    leaving.abort();
    await asked;
    await until(async () => (await engineRunning()) === 0, 'the engine stops', 1_000);
    const row = await until(async () => {
      const rows = await up.usage();
      return rows.length > before && rows.find(({ status }) => status === 499 && true);
    }, 'its usage row');
    const newest = (await up.usage())
      .filter(({ status }) => status === 499)
      .toSorted((a, b) => b.prompt_tokens - a.prompt_tokens)[0];
    expect(row).toBeDefined();
    expect(newest?.prompt_tokens).toBeGreaterThan(50_000);
    expect(newest?.completion_tokens).toBe(0);
    await noHoldIsLeft();
  });
});

test('MONEY 15: a client that leaves before the first byte of a prompt of many tokens pays for all of it', async () => {
  const leaving = new AbortController();
  // Two bytes per token: three times the tokens that the hold was estimated for.
  const content = 'a1'.repeat(60_000);
  const known = new Set((await up.usage()).map((row) => row.request_id));
  const asked = ask(
    { messages: [{ role: 'user', content }], max_tokens: 1 },
    { signal: leaving.signal },
  ).catch(() => null);
  await until(async () => (await engineRunning()) === 1, 'the engine has it');
  leaving.abort();
  await asked;
  const row = await until(
    async () => (await up.usage()).find((one) => !known.has(one.request_id)),
    'its usage row',
  );
  expect(row.status).toBe(499);
  expect(row.prompt_tokens).toBeGreaterThan(50_000);
  expect(pico(row.cost)).toBe(BigInt(row.prompt_tokens) * PRICE.prompt);
  await noHoldIsLeft();
});

describe('an engine that misbehaves', () => {
  const BROKEN = [
    'error_event',
    'eof',
    'reset',
    'no_finish',
    'no_usage',
    'bad_json',
    'death',
  ] as const;
  test.each(BROKEN)('MONEY 15: %s mid-stream: cut, no error object, free', async (kind) => {
    // A short answer, because some of these faults show only at its end.
    const messages = [{ role: 'user', content: 'Write 60 words about rivers.' }];
    await setFault(kind, { after_tokens: 10 });
    const { reading, requestId } = await begin(1, { messages });
    isCut(await reading);
    expect((await usageOf(requestId)).cost).toBe('0');
    await clearFaults();
    await noHoldIsLeft();
    await servesAgain();
  });

  test('MONEY 15: http_500: a 5xx with its request id, free', async () => {
    await setFault('http_500');
    const response = await ask();
    expect(response.status).toBeGreaterThanOrEqual(500);
    const body = (await response.json()) as { request_id: string };
    expect(body.request_id).toMatch(/^req_/);
    expect((await usageOf(body.request_id)).cost).toBe('0');
    await noHoldIsLeft();
  });

  test.each(['http_429', 'http_503'] as const)(
    'MONEY 12: %s: the engine is full for a moment, and the request is served after it',
    async (kind) => {
      await setFault(kind);
      const seen = await readStream(await ask({ max_tokens: 3 }));
      expect(seen).toMatchObject({ status: 200, done: true, finish: 'length' });
      expect((await usageOf(seen.requestId)).completion_tokens).toBe(3);
      await noHoldIsLeft();
    },
  );

  test.each(['slow_drip', 'split_utf8', 'comments', 'content_on_finish', 'giant_chunk'] as const)(
    'MONEY 12: %s is harmless: the answer is whole, and charged once',
    async (kind) => {
      const messages = [{ role: 'user', content: 'Write 60 words about rivers.' }];
      await setFault(kind, { after_tokens: 3 });
      const seen = await readStream(await ask({ messages }));
      expect(seen.finish).toBe('stop');
      expect(seen.done).toBe(true);
      expect(seen.text).not.toContain('\uFFFD');
      const row = await usageOf(seen.requestId);
      expect(row.completion_tokens).toBe(seen.usage?.completion_tokens);
      expect(pico(row.cost)).toBeGreaterThan(0n);
      await noHoldIsLeft();
    },
  );

  test.each([
    { prompt_tokens: { factor: 1_000_000 } },
    { prompt_tokens: -5, completion_tokens: -7, cached_tokens: -9 },
    { completion_tokens: { factor: 1_000_000 } },
    { cached_tokens: 1_000_000_000 },
    { prompt_tokens: 'nan', completion_tokens: 'nan' },
    { prompt_tokens: 'missing' },
    { completion_tokens: 0.5, cached_tokens: 'nan' },
  ])('MONEY 18: wrong usage %j never costs more than the router can bound', async (wrong) => {
    await setFault('wrong_usage', wrong);
    const seen = await readStream(await ask({ max_tokens: 20 }));
    const rows = await up.usage();
    const row = rows.find(({ request_id }) => request_id === seen.requestId);
    const cost = pico(row?.cost ?? '0');
    // The prompt of this test is short, so its bytes and a template's tokens bound it.
    expect(cost).toBeLessThanOrEqual(4_000n * PRICE.prompt + 20n * PRICE.completion);
    await noHoldIsLeft();
  });

  test('MONEY 15: a stream that stalls is left when the client leaves, which pays for what came', async () => {
    await setFault('stall', { after_tokens: 10 });
    const leaving = new AbortController();
    // The role and ten tokens, which is everything that the engine sends.
    const { reading, requestId } = await begin(11, {}, { signal: leaving.signal });
    leaving.abort();
    isCut(await reading);
    await until(async () => (await engineRunning()) === 0, 'the engine stops', 1_000);
    const row = await usageOf(requestId);
    expect(row).toMatchObject({ status: 499, completion_tokens: 10 });
    await noHoldIsLeft();
  });

  test('MONEY 15: an engine that never answers is left when the client leaves, free', async () => {
    await setFault('hang_before_first');
    const leaving = new AbortController();
    const asked = ask({}, { signal: leaving.signal }).catch(() => null);
    await until(async () => (await up.credit()).held !== '0', 'the hold');
    leaving.abort();
    await asked;
    await noHoldIsLeft();
  });
});

test('no key and no prompt of all this is in a log, a metric or the store', async () => {
  const secret = up.first.api_key.slice(-30);
  // Here the output goes to a file, so the secrets of the first start are in a file of their own
  // that only its owner can read.
  const firstRun = join(up.data, 'first-run.txt');
  expect(await readFile(firstRun, 'latin1')).toContain(secret);
  expect(up.output).not.toContain(secret);
  const files = await readdir(up.data, { recursive: true, withFileTypes: true });
  const contents = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name))
      .filter((file) => file !== firstRun)
      .map((file) => readFile(file, 'latin1')),
  );
  const kept = [...contents, await up.metrics()].join('\n');
  expect(kept).toContain(up.first.organization.id);
  expect(kept).not.toContain(secret);
  expect(`${kept}${up.output}`).not.toContain('about rivers');
});
