/** What is held before a request runs, and which requests the hold lets through. */
import { expect, test } from 'vitest';
import { delivered } from '../../agent/support/gate.ts';
import { type Customer, estimate, PRICE, refusalOf, SEEING } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const RICH = 10n ** 12n;
const SLICE = 2_048n * PRICE.completion;
/** The first hold of a plain request. */
const FIRST = BigInt(estimate()) * PRICE.prompt + SLICE;

async function held({ organization }: Customer) {
  const { held: amount, reserve } = await rig.balance(organization);
  return { amount, reserve };
}

test('MONEY 6: admission holds the estimated prompt at its full price, and the first slice of output', async () => {
  const customer = await rig.customer(RICH);
  const fields = { messages: [{ role: 'user', content: 'word '.repeat(2_000) }] };
  // The second prompt could come from the cache of the first, which is known only at its end.
  for (const cached of [0, 3_000]) {
    const { stream, seen } = await rig.begin(customer, fields);
    const amount = BigInt(estimate(fields)) * PRICE.prompt + SLICE;
    expect(await held(customer)).toEqual({ amount, reserve: SLICE });
    expect(stream.open.grant).toMatchObject({ tokens: 2_048, final: false });
    stream.content(3_500, 1);
    stream.finish(3_500, 1, { cached });
    expect((await seen).done).toBe(true);
  }
});

test('MONEY 6: an image is taken to cost a fixed allowance, however many bytes it has', async () => {
  const customer = await rig.customer(RICH);
  const image = (bytes: number) => {
    const url = `data:image/png;base64,${'A'.repeat(bytes)}`;
    return { type: 'image_url', image_url: { url } };
  };
  const holds = async (...content: object[]) => {
    const fields = { model: SEEING, max_tokens: 1, messages: [{ role: 'user', content }] };
    const { stream, seen } = await rig.begin(customer, fields);
    const { amount } = await held(customer);
    stream.content(10, 1);
    stream.finish(10, 1);
    await seen;
    return amount;
  };
  const one = await holds(image(400));
  expect(await holds(image(40_000))).toBe(one);
  const second = (await holds(image(400), image(400))) - one;
  // A few bytes more are held for the JSON around the image.
  expect(second / 600_000n).toBeGreaterThanOrEqual(1_600n);
  expect(second / 600_000n).toBeLessThan(1_640n);
});

test('MONEY 6: no byte goes out before the hold fits the prompt as the engine counted it', async () => {
  const customer = await rig.customer(RICH);
  const gate = rig.gated.hold('extend');
  const { stream, response, seen } = await rig.begin(customer);
  let answered = false;
  void response.finally(() => {
    answered = true;
  });
  stream.content(900, 1, 'first ');
  await gate.reached;
  stream.content(900, 2, 'second');
  await delivered();
  expect(answered).toBe(false);
  gate.letGo();
  await response;
  const { amount } = await held(customer);
  const exact = 900n * PRICE.prompt + SLICE;
  // Rounded to whole tokens of output.
  expect(amount).toBeGreaterThanOrEqual(exact);
  expect(amount).toBeLessThan(exact + PRICE.completion);
  stream.finish(900, 2);
  expect((await seen).text).toBe('first second');
});

test('MONEY 6: a prompt that the credit does not pay for is an uncharged 402, and nothing of it went out', async () => {
  const customer = await rig.customer(FIRST);
  const { stream, seen } = await rig.begin(customer, {});
  stream.content(900, 1);
  expect(refusalOf(await seen)).toEqual([402, 'insufficient_credit']);
  await stream.cancelled();
  const [row] = await rig.rows(customer.organization);
  expect(row).toMatchObject({ status: 402, cost: 0n, outcome: 'voided' });
  expect(await rig.balance(customer.organization)).toMatchObject({ balance: FIRST, held: 0n });
});

test('MONEY 7: a small request holds all that it may write, a larger one a slice', async () => {
  const customer = await rig.customer(RICH);
  for (const [maxTokens, tokens, reserve] of [
    [4_096, 4_096, 0n],
    [4_097, 2_048, SLICE],
  ] as const) {
    const fields = { max_tokens: maxTokens };
    const { stream, seen } = await rig.begin(customer, fields);
    const prompt = BigInt(estimate(fields)) * PRICE.prompt;
    const amount = prompt + BigInt(tokens) * PRICE.completion;
    expect(await held(customer)).toEqual({ amount, reserve });
    expect(stream.open.grant).toMatchObject({ tokens, final: tokens === maxTokens });
    stream.content(10, 1);
    stream.finish(10, 1);
    await seen;
    await rig.ended();
  }
});

test('MONEY 8: when credit runs out the next gets 402, while what runs goes on into its slice', async () => {
  const customer = await rig.customer(FIRST + SLICE);
  const { stream, seen } = await rig.begin(customer);
  expect(await rig.refused(customer, { max_tokens: 1 })).toEqual([402, 'insufficient_credit']);
  // Auto-recharge is notified at once.
  expect(rig.exhausted).toContain(customer.organization);
  const prompt = estimate();
  stream.content(prompt, 1_024);
  await stream.granted(({ tokens }) => tokens === 4_096);
  stream.content(prompt, 4_000);
  stream.finish(prompt, 4_000);
  expect(await seen).toMatchObject({ done: true, finish: 'stop' });
  const left = FIRST + SLICE - BigInt(prompt) * PRICE.prompt - 4_000n * PRICE.completion;
  expect(await rig.balance(customer.organization)).toMatchObject({ balance: left, held: 0n });
});

test('MONEY 9: of an engine that tells no counts, all that an answer may cost is held before it sees the request', async () => {
  const customer = await rig.customer(RICH);
  rig.agent.report(rig.models, { runningUsage: false });
  const gate = rig.gated.hold('extend');
  const beginning = rig.begin(customer, { max_tokens: 9_000 });
  await gate.reached;
  await delivered();
  expect(rig.agent.streams.filter(({ taken }) => !taken)).toEqual([]);
  gate.letGo();
  const { stream, seen } = await beginning;
  expect(stream.open.grant).toMatchObject({ tokens: 9_000, final: true });
  const { amount } = await held(customer);
  expect(amount).toBeGreaterThanOrEqual(9_000n * PRICE.completion);
  stream.content(0, 0);
  stream.finish(20, 8_000);
  expect(await seen).toMatchObject({ done: true, usage: { completion_tokens: 8_000 } });
  // A request is not started if the credit does not cover it.
  const poor = await rig.customer(FIRST);
  expect(await rig.refused(poor, { max_tokens: 9_000 })).toEqual([402, 'insufficient_credit']);
  rig.agent.report(rig.models);
});

test('MONEY 18: more than one answer, the prompt again and prompts in arrays are not offered', async () => {
  const customer = await rig.customer(RICH);
  for (const fields of [{ n: 2 }, { best_of: 2 }, { echo: true }]) {
    expect((await rig.refused(customer, fields))[0]).toBe(400);
  }
  const prompt = { prompt: ['a', 'b'], messages: undefined };
  const response = await rig.post(customer, prompt, {}, '/v1/completions');
  expect(response.status).toBe(400);
  expect(await rig.rows(customer.organization)).toEqual([]);
});
