/** `usage: {include: true}`: the cost of an answer in its usage, the very amount that is charged. */
import { beforeEach, expect, test } from 'vitest';
import type { Api } from '../../../router/request/api.ts';
import { formatUsd } from '../../../shared/money.ts';
import { ASKS } from './events.ts';
import { type Customer, MODEL, PRICE } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const COUNTS = { prompt: 1_003, cached: 16, completion: 7 } as const;
const COST =
  BigInt(COUNTS.prompt - COUNTS.cached) * PRICE.prompt +
  BigInt(COUNTS.cached) * PRICE.cached +
  BigInt(COUNTS.completion) * PRICE.completion;

const content = 'word '.repeat(1_000);
const BODIES: Readonly<Record<Api, readonly [path: string, body: object]>> = {
  chat: ['/v1/chat/completions', { model: MODEL, messages: [{ role: 'user', content }] }],
  completions: ['/v1/completions', { model: MODEL, prompt: content }],
  responses: [ASKS.responses.path, { ...ASKS.responses.body, input: content }],
  messages: [ASKS.messages.path, { ...ASKS.messages.body, messages: [{ role: 'user', content }] }],
};
const APIS = Object.keys(BODIES) as Api[];

let customer: Customer;
beforeEach(async () => {
  customer = await rig.customer(10n ** 12n);
});

async function told(api: Api, fields: object): Promise<string> {
  const [path, body] = BODIES[api];
  const response = rig.post(customer, {}, { body: JSON.stringify({ ...body, ...fields }) }, path);
  const stream = await rig.agent.next();
  stream.content(COUNTS.prompt, COUNTS.completion);
  stream.finish(COUNTS.prompt, COUNTS.completion, { cached: COUNTS.cached });
  return await (await response).text();
}

test.each(APIS)('%s tells the charge to the pico-dollar, streamed or not', async (api) => {
  for (const stream of [false, true]) {
    const text = await told(api, { stream, usage: { include: true } });
    const [row] = await rig.rows(customer.organization);
    expect(row?.cost).toBeGreaterThan(0n);
    expect(text).toContain(`,"cost":${formatUsd(row?.cost ?? 0n)}}`);
    expect(text.match(/"cost"/g)).toHaveLength(1);
  }
});

test('the cost is the price of the tokens, and no floating-point number', async () => {
  // The second request finds the prompt of the first in the cache.
  await told('chat', {});
  const text = await told('chat', { usage: { include: true } });
  expect((JSON.parse(text) as { usage: object }).usage).toMatchObject({
    prompt_tokens_details: { cached_tokens: COUNTS.cached },
    cost: Number(formatUsd(COST)),
  });
  expect(text).toContain(`"cost":${formatUsd(COST)}}`);
});

test.each(APIS)('%s tells no cost without the wish for it', async (api) => {
  for (const usage of [null, {}, { include: false }]) {
    expect(await told(api, { usage })).not.toContain('"cost"');
  }
});

test('a wish that is not a boolean is a 400 with its name', async () => {
  for (const api of APIS) {
    const [path, body] = BODIES[api];
    const asked = JSON.stringify({ ...body, usage: { include: 'yes' } });
    const response = await rig.post(customer, {}, { body: asked }, path);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('usage.include');
  }
});
