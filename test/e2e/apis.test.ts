/** What every inference API charges, on real processes: whole answers, failures and cancels. */
import { afterAll, describe, expect, test } from 'vitest';
import { parseUsd } from '../../shared/money.ts';
import { APIS } from '../support/apis.ts';
import { type Call, type CallOptions, ClientLog } from '../support/client-log.ts';
import { up } from '../support/shared-up.ts';
import { until } from '../support/up.ts';
import { setFault } from './shared-faults.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
const PRICE = { prompt: 200_000n, completion: 600_000n, cached: 50_000n };

const log = new ClientLog();
afterAll(() => log[Symbol.asyncDispose]());

/** The usage row of a request, once nothing is held any more. */
async function charged({ requestId }: Call) {
  const row = await until(
    async () => (await up.usage()).find((one) => one.request_id === requestId),
    `the usage row of ${requestId}`,
  );
  await until(async () => (await up.credit()).held === '0', 'no hold');
  const { prompt_tokens: prompt, cached_tokens: cached, completion_tokens: completion } = row;
  return { usage: { prompt, cached, completion }, cost: parseUsd(row.cost), status: row.status };
}

describe.each(APIS)('%s', (api) => {
  const ask = (options: Partial<CallOptions> = {}) =>
    log.ask({
      base: up.ready.base_url,
      key: up.first.api_key,
      model: MODEL,
      prompt: 'Write 60 words about rivers.',
      maxTokens: 500,
      api,
      ...options,
    });

  test.each([true, false])(
    'MONEY 12: an answer is charged as its usage says (streamed: %s)',
    async (streamed) => {
      for (const [maxTokens, finish] of [
        [500, 'stop'],
        [9, 'length'],
      ] as const) {
        const call = await ask({ streamed, maxTokens });
        expect(call).toMatchObject({ ending: 'complete', finish });
        const { usage, cost, status } = await charged(call);
        expect(usage).toEqual(call.usage);
        expect(status).toBe(200);
        const fresh = BigInt(usage.prompt - usage.cached) * PRICE.prompt;
        const rest =
          BigInt(usage.cached) * PRICE.cached + BigInt(usage.completion) * PRICE.completion;
        expect(cost).toBe(fresh + rest);
      }
    },
  );

  test.each(['error_event', 'eof', 'reset', 'no_finish', 'no_usage', 'bad_json'])(
    'MONEY 15: %s mid-stream: cut, and free',
    async (kind) => {
      await setFault(kind, { after_tokens: 10 });
      const call = await ask();
      expect(call).toMatchObject({ status: 200, ending: 'cut', done: false, usage: null });
      expect((await charged(call)).cost).toBe(0n);
    },
  );

  test('MONEY 15: an engine that fails before its first token: an error, and free', async () => {
    await setFault('http_500');
    const call = await ask();
    expect(call).toMatchObject({ status: 502, ending: 'refused', code: 'engine_failed' });
    expect((await charged(call)).cost).toBe(0n);
  });

  test('MONEY 12: an engine that is full for a moment answers after it', async () => {
    await setFault('http_503');
    const call = await ask({ maxTokens: 3 });
    expect(call).toMatchObject({ ending: 'complete', finish: 'length' });
    expect((await charged(call)).usage).toEqual(call.usage);
  });

  test('MONEY 15: who leaves a stream that stalls pays for what came', async () => {
    await setFault('stall', { after_tokens: 10 });
    const leaving = new AbortController();
    const call = await ask({
      leave: leaving.signal,
      onEvent: ({ pieces }) => {
        const words = pieces.map(({ text }) => text).join('');
        if (words.match(/"(content|text|delta)":"[^"]/g)?.length === 10) leaving.abort();
      },
    });
    expect(call.ending).toBe('left');
    const { usage, cost, status } = await charged(call);
    expect({ status, completion: usage.completion }).toEqual({ status: 499, completion: 10 });
    const prompt = BigInt(usage.prompt - usage.cached) * PRICE.prompt;
    expect(cost).toBe(prompt + BigInt(usage.cached) * PRICE.cached + 10n * PRICE.completion);
  });
});

test('the books balance after all of this', async () => {
  const verified = await up.verify();
  expect(verified.status, verified.output).toBe(0);
});
