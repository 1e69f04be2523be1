/**
 * Limits that an operator sets for an organization or a key, as applications see them on a real
 * `penstock up`.
 */
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { readStream } from '../support/sse.ts';
import { until } from '../support/up.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';

type Customer = Readonly<{ id: string; key: string; keyId: string }>;

function ask(key: string, content = 'Write 3 words.', fields: object = {}): Promise<Response> {
  const messages = [{ role: 'user', content }];
  return up.post(
    '/chat/completions',
    { model: MODEL, messages, max_tokens: 4, ...fields },
    { headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } },
  );
}

async function answered(response: Response): Promise<number> {
  await response.text();
  return response.status;
}

const forOrganization = (what: string, { id }: Customer, ...flags: string[]) =>
  up.admin('organization', what, '--organization', id, ...flags);

test('requests a minute: the next one is a 429 that says when, with the headers OpenAI’s clients read', async () => {
  const customer = await up.customer('Three a minute');
  await forOrganization('limits', customer, '--requests-per-minute', '3');
  const first = await ask(customer.key);
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'x-ratelimit-limit-requests': '3',
    'x-ratelimit-remaining-requests': '2',
    'x-ratelimit-reset-requests': expect.stringMatching(/^(59\.\d+|1m[01](\.\d+)?)s$/),
  });
  expect(await answered(first)).toBe(200);
  const streamed = await ask(customer.key, 'Write 3 words.', { stream: true });
  expect(streamed.headers.get('x-ratelimit-remaining-requests')).toBe('1');
  expect((await readStream(streamed)).done).toBe(true);
  expect(await answered(await ask(customer.key))).toBe(200);
  const refused = await ask(customer.key);
  expect(refused.status).toBe(429);
  const wait = Number(refused.headers.get('retry-after-ms'));
  expect(wait).toBeGreaterThan(50_000);
  expect(refused.headers.get('retry-after')).toBe(String(Math.ceil(wait / 1000)));
  expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('0');
  expect(await refused.json()).toMatchObject({
    error: { code: 'rate_limited', type: 'rate_limit_error' },
    request_id: refused.headers.get('x-request-id'),
  });
  // A limit that the operator raises is in force with the very next request.
  await forOrganization('limits', customer, '--requests-per-minute', '4');
  expect(await answered(await ask(customer.key))).toBe(200);
  expect(await answered(await ask(customer.key))).toBe(429);
});

test('tokens a minute and requests at once are limits of their own', async () => {
  const customer = await up.customer('Few tokens');
  await forOrganization('limits', customer, '--tokens-per-minute', '800');
  const endless = await ask(customer.key, 'word '.repeat(1_000));
  expect(endless.status).toBe(400);
  expect(await endless.json()).toMatchObject({ error: { code: 'token_limit_exceeded' } });
  const long = 'word '.repeat(300);
  expect(await answered(await ask(customer.key, long))).toBe(200);
  const refused = await ask(customer.key, long);
  expect([refused.status, refused.headers.get('x-ratelimit-limit-tokens')]).toEqual([429, '800']);
  expect(await refused.json()).toMatchObject({
    error: { message: expect.stringContaining('tokens') },
  });
  await forOrganization('limits', customer, '--tokens-per-minute', 'default');
  await forOrganization('limits', customer, '--concurrent-requests', '1');
  const running = await ask(customer.key, 'Write 200 words.', { stream: true, max_tokens: 300 });
  const second = await ask(customer.key);
  expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1']);
  await second.text();
  expect((await readStream(running)).done).toBe(true);
  expect(await answered(await ask(customer.key))).toBe(200);
});

test('an OpenAI client waits as it is told and succeeds', async () => {
  const customer = await up.customer('Patient');
  await forOrganization('limits', customer, '--concurrent-requests', '1');
  const client = new OpenAI({ baseURL: up.ready.base_url, apiKey: customer.key, maxRetries: 5 });
  const one = () =>
    client.chat.completions.create({
      model: MODEL,
      max_tokens: 60,
      messages: [{ role: 'user', content: 'Write 50 words.' }],
    });
  const answers = await Promise.all([one(), one()]);
  expect(answers.map(({ choices }) => choices[0]?.finish_reason)).not.toContain(undefined);
});

test('a key’s cap is a 429 of its own, and stops no other key', async () => {
  const customer = await up.customer('Capped');
  const cap = ['--organization', customer.id, '--key', customer.keyId, '--monthly-cap'];
  await up.admin('key', 'limits', ...cap, '0.0000001');
  const capped = await ask(customer.key);
  expect(capped.status).toBe(429);
  expect(capped.headers.get('x-should-retry')).toBe('false');
  expect(await capped.json()).toMatchObject({
    error: {
      code: 'key_limit_reached',
      message: expect.stringMatching(
        /^This request may cost more than what is left of the monthly cap of this key: USD 0\.0000001\. /,
      ),
    },
  });
  const create = ['key', 'create', '--name', 'other', '--organization', customer.id];
  const other = await up.admin<{ key: string }>(...create);
  expect(await answered(await ask(other.key))).toBe(200);
  await up.admin('key', 'limits', ...cap, 'none', '--daily-cap', '0.0000001');
  expect(await (await ask(customer.key)).json()).toMatchObject({
    error: {
      code: 'key_limit_reached',
      message: expect.stringMatching(
        / of the daily cap of this key: USD 0\S+ Lower max_tokens or raise the cap, which is reset at \S+T00:00:00Z\.$/,
      ),
    },
  });
  await up.admin('key', 'limits', ...cap, 'none', '--daily-cap', 'none');
  expect(await answered(await ask(customer.key))).toBe(200);
});

test('a request that a cap does not cover stops no cheaper one after it', async () => {
  const customer = await up.customer('Careful');
  const cap = ['--organization', customer.id, '--key', customer.keyId, '--monthly-cap', '0.0001'];
  await up.admin('key', 'limits', ...cap);
  const costly = await ask(customer.key, 'Write 3 words.', { max_tokens: 2_000 });
  expect(await answered(costly)).toBe(429);
  // Its body is as long, but it may cost less.
  const cheap = await ask(customer.key, 'Write 3 words...', { max_tokens: 20 });
  expect(await answered(cheap)).toBe(200);
});

test('MONEY 5: a rate agreed with an organization is its price from the next request on, and no one else’s', async () => {
  const [customer, other] = [await up.customer('Agreed'), await up.customer('Listed')];
  const cost = async ({ id }: Customer) => {
    const [row] = await until(async () => {
      const rows = await up.usage(id);
      return rows.length > 0 && rows;
    }, 'usage');
    return row;
  };
  expect(await answered(await ask(customer.key))).toBe(200);
  const rate = ['--organization', customer.id, '--model', MODEL];
  const figures = ['--prompt', '0.000001', '--completion', '0.000002', '--input-cache-read', '0'];
  await up.admin('rate', 'set', ...rate, ...figures);
  expect(await answered(await ask(customer.key))).toBe(200);
  expect(await answered(await ask(other.key))).toBe(200);
  const agreed = await cost(customer);
  const { prompt_tokens: prompt = 0, cached_tokens: cached = 0 } = agreed ?? {};
  const exact = (prompt - cached) * 0.000001 + (agreed?.completion_tokens ?? 0) * 0.000002;
  expect(Number(agreed?.cost)).toBeCloseTo(exact, 12);
  const listed = await cost(other);
  const atList = (listed?.prompt_tokens ?? 0) * 2e-7 + (listed?.completion_tokens ?? 0) * 6e-7;
  expect(Number(listed?.cost)).toBeCloseTo(atList, 12);
  await up.admin('rate', 'remove', ...rate);
  expect(await answered(await ask(customer.key))).toBe(200);
});

test('MONEY 4: an invoiced organization goes below zero, as far as its credit limit', async () => {
  const customer = await up.customer('Invoiced');
  const adjust = ['credit', 'adjust', '--organization', customer.id, '--reason', 'test'];
  await up.admin(...adjust, '--amount', '-5');
  expect(await answered(await ask(customer.key))).toBe(402);
  await forOrganization('billing', customer, '--credit-limit', '1');
  expect(await answered(await ask(customer.key))).toBe(200);
  const credit = await until(async () => {
    const now = await up.credit(customer.id);
    return now.held === '0' && now;
  }, 'no hold');
  expect(Number(credit.balance)).toBeLessThan(0);
  // The organization owes money, so a return to prepaid billing would leave it below zero.
  await expect(forOrganization('billing', customer, '--credit-limit', 'none')).rejects.toThrow();
  await up.admin(...adjust, '--amount', '1');
  await forOrganization('billing', customer, '--credit-limit', 'none');
});

test('MONEY 11: suspending an organization cuts what runs, which is charged for what it was given', async () => {
  const customer = await up.customer('Suspended');
  const running = await ask(customer.key, 'Write 2000 words.', {
    stream: true,
    max_tokens: 4_000,
  });
  const reading = readStream(running);
  await until(async () => (await up.credit(customer.id)).held !== '0', 'a hold');
  const asked = performance.now();
  await forOrganization('suspend', customer);
  const seen = await reading;
  const tookMs = performance.now() - asked;
  expect([seen.done, seen.finish]).toEqual([false, null]);
  expect(tookMs).toBeLessThan(5_000);
  expect(await answered(await ask(customer.key))).toBe(403);
  const [row] = await until(async () => {
    const rows = await up.usage(customer.id);
    return rows.length > 0 && rows;
  }, 'usage');
  expect(row?.completion_tokens).toBeGreaterThan(0);
  expect(Number(row?.cost)).toBeGreaterThan(0);
  await forOrganization('resume', customer);
  expect(await answered(await ask(customer.key))).toBe(200);
});
