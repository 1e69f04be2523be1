/** Work of engines that nobody pays for is limited per organization, over all routers. */
import { expect, test } from 'vitest';
import { type Customer, estimate, PRICE, refusalOf, RequestRig } from './rig.ts';

const WAIVED_MAX = 200_000;
const LONG = { messages: [{ role: 'user', content: 'word '.repeat(20_000) }], max_tokens: 8 };

async function isRefused(rig: RequestRig, customer: Customer, fields: object): Promise<void> {
  const refused = await rig.post(customer, fields);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
  expect(await refused.text()).toContain('abandoned');
}

test('MONEY 15: leaving just before the first token does not buy prefill for nothing, again and again', async () => {
  await using rig = await RequestRig.start();
  const customer = await rig.customer(10n ** 12n);
  const free = Math.ceil(WAIVED_MAX / estimate(LONG));
  for (let request = 1; request <= free; request++) {
    const { stream, leave } = await rig.begin(customer, LONG);
    leave();
    await stream.cancelled();
    stream.stop(0, 0);
    await rig.ended();
  }
  await isRefused(rig, customer, LONG);
  expect(await rig.rows(customer.organization)).toHaveLength(free);
  // No other organization is affected, and after a minute this organization is not either.
  await rig.begin(await rig.customer(10n ** 12n), LONG);
  await rig.pass(61_000);
  await rig.begin(customer, LONG);
});

test('MONEY 15: a prompt that the credit turns out not to pay for is waived work, and not free without end', async () => {
  await using rig = await RequestRig.start();
  // Enough for the estimated prompt, but not for the prompt as the engine counts it.
  const prompt = 60_000;
  const customer = await rig.customer(BigInt(estimate(LONG) + 2_000) * PRICE.prompt);
  const free = Math.ceil(WAIVED_MAX / prompt);
  for (let request = 1; request <= free; request++) {
    const { stream, seen } = await rig.begin(customer, LONG);
    stream.content(prompt, 1);
    expect(refusalOf(await seen)).toEqual([402, 'insufficient_credit']);
    await rig.ended();
    // It is reported once the hold is released.
    await expect.poll(() => rig.exhausted.length).toBe(request);
  }
  await isRefused(rig, customer, LONG);
  expect(await rig.rows(customer.organization)).toHaveLength(free);
});

test('MONEY 15: so is a prompt that turns out not to fit the context of the model', async () => {
  await using rig = await RequestRig.start();
  const customer = await rig.customer(10n ** 12n);
  const content = 'word '.repeat(60_000);
  const fields = { messages: [{ role: 'user', content }], max_tokens: 60_000 };
  const { stream, seen } = await rig.begin(customer, fields);
  stream.content(250_000, 1);
  expect(refusalOf(await seen)).toEqual([400, 'context_length_exceeded']);
  await rig.ended();
  await isRefused(rig, customer, fields);
});

test('MONEY 15: an answer that fails on our side is not counted against its customer', async () => {
  await using rig = await RequestRig.start();
  const customer = await rig.customer(10n ** 12n);
  for (let request = 1; request <= 12; request++) {
    const { stream, response, seen } = await rig.begin(customer, LONG);
    stream.content(20_000, 1);
    await response;
    stream.fail();
    await seen;
    await rig.ended();
  }
  const { stream, seen } = await rig.begin(customer, LONG);
  stream.content(20_000, 1);
  stream.finish(20_000, 2);
  expect((await seen).done).toBe(true);
});
