/** What clients are told about the limits of a minute and about when to try again. */
import { beforeEach, expect, test } from 'vitest';
import { changeKey } from '../../../router/identity/keys.ts';
import { rateHeaders } from '../../../router/request/rate-headers.ts';
import { delivered } from '../../agent/support/gate.ts';
import { ask } from './events.ts';
import { type Customer, estimate } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const TOKENS_A_MINUTE = 100_000;

let customer: Customer;
beforeEach(async () => {
  customer = await rig.customer(10n ** 12n);
  const limits = { requestsPerMinute: 2, tokensPerMinute: TOKENS_A_MINUTE };
  const { organization, key } = customer;
  await rig.books.store.call(changeKey, { organization, key, limits });
});

const NAMED = /^(x-ratelimit|anthropic-ratelimit|retry-after)/;

const told = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => NAMED.test(name)));

async function answered(response: Promise<Response>): Promise<Response> {
  (await rig.agent.next()).finish(20, 1);
  return await response;
}

/** A whole number of seconds, at which a window begins. */
async function atFullSecond(): Promise<void> {
  await rig.pass(1000 - (rig.books.clock.now() % 1000));
  await delivered();
}

test('answers and refusals of the OpenAI APIs tell limit, remainder and reset', async () => {
  await atFullSecond();
  const tokens = estimate();
  const first = await answered(rig.post(customer));
  await first.text();
  expect(told(first)).toEqual({
    'x-ratelimit-limit-requests': '2',
    'x-ratelimit-remaining-requests': '1',
    'x-ratelimit-reset-requests': '1m0.5s',
    'x-ratelimit-limit-tokens': String(TOKENS_A_MINUTE),
    'x-ratelimit-remaining-tokens': String(TOKENS_A_MINUTE - tokens),
    'x-ratelimit-reset-tokens': '1m0.5s',
  });
  await rig.ended();
  await (await answered(rig.post(customer, { stream: false }))).text();
  await rig.ended();
  const by = [await rig.post(customer)];
  await rig.pass(20_250);
  // The second is refused from memory, without the ledger, and tells less time.
  by.push(await rig.post(customer));
  expect(by.map(({ status }) => status)).toEqual([429, 429]);
  expect(by.map(told)).toMatchObject([
    { 'retry-after': '60', 'retry-after-ms': '60000', 'x-ratelimit-reset-requests': '1m0.5s' },
    { 'retry-after': '41', 'retry-after-ms': '40250', 'x-ratelimit-reset-requests': '40.25s' },
  ]);
  for (const response of by) {
    expect(told(response)).toMatchObject({ 'x-ratelimit-remaining-requests': '0' });
    expect(response.headers.get('access-control-expose-headers')).toBe('*');
  }
});

test('the Messages API tells the same under its own names too, and resets as instants', async () => {
  await atFullSecond();
  const reset = new Date(rig.books.clock.now() + 61_000).toISOString().replace('.000Z', 'Z');
  const asked = ask(customer, 'messages');
  const first = await answered(asked);
  expect(told(first)).toMatchObject({
    'x-ratelimit-remaining-requests': '1',
    'anthropic-ratelimit-requests-limit': '2',
    'anthropic-ratelimit-requests-remaining': '1',
    'anthropic-ratelimit-requests-reset': reset,
    'anthropic-ratelimit-tokens-limit': String(TOKENS_A_MINUTE),
    'anthropic-ratelimit-tokens-remaining': expect.stringMatching(/^99\d{3}$/),
    'anthropic-ratelimit-tokens-reset': reset,
  });
  await rig.ended();
  await answered(ask(customer, 'messages'));
  const refused = await ask(customer, 'messages');
  expect(refused.status).toBe(429);
  expect(told(refused)).toMatchObject({
    'retry-after': '60',
    'anthropic-ratelimit-requests-remaining': '0',
    'anthropic-ratelimit-requests-reset': reset,
  });
});

test('a prompt of more tokens than a limit allows in a minute is refused without a retry', async () => {
  const { organization, key } = customer;
  const limits = { requestsPerMinute: null, tokensPerMinute: estimate() - 1 };
  await rig.books.store.call(changeKey, { organization, key, limits });
  const refused = await rig.post(customer);
  expect([refused.status, refused.headers.get('x-should-retry')]).toEqual([400, 'false']);
  expect(told(refused)).toEqual({});
  const { error } = (await refused.json()) as { error: { code: string; message: string } };
  expect(error.code).toBe('token_limit_exceeded');
  expect(error.message).toMatch(/^This API key is limited to [\d,]+ tokens per minute, and this/);
});

test('without limits nothing is told, and a refusal without a wait tells none', async () => {
  const free = await rig.customer(10n ** 12n);
  expect(told(await answered(rig.post(free)))).toEqual({});
  expect(told(await rig.post(await rig.customer(0n)))).toEqual({});
});

test.each([
  [0, '0s'],
  [20, '20ms'],
  [999.5, '1s'],
  [7_660, '7.66s'],
  [60_000, '1m0s'],
])('%d ms are written as %s', (resetMs, text) => {
  const standings = { requests: { limit: 1, remaining: 0, resetMs }, tokens: null };
  expect(rateHeaders(standings, 'chat', 0)['x-ratelimit-reset-requests']).toBe(text);
});

test('an error of a known key has the address of its page, and one of no key has none', async () => {
  const refused = await rig.post(customer, { model: 'lab/none' });
  const id = refused.headers.get('x-request-id');
  const page = `https://dashboard.example.com/${customer.organization}/logs/${id}`;
  expect(refused.headers.get('link')).toBe(`<${page}>; rel="help"`);
  const failed = rig.post(customer, { stream: false });
  (await rig.agent.next()).fail();
  expect((await failed).headers.get('link')).toContain(`/${customer.organization}/logs/req_`);
  const unknown = await rig.post({ ...customer, value: `${customer.value}0` });
  expect([unknown.status, unknown.headers.get('link')]).toEqual([401, null]);
});
