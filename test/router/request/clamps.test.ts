/** Impossible reports by an agent: clamped to what the router knows, and counted in the metrics. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bodyOf, type Customer, estimate, PRICE } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const CREDIT = 10n ** 12n;
const PROMPT = estimate();
/** A tokenizer never makes more tokens than there are bytes. A chat template may add some. */
const PROMPT_MAX = Buffer.byteLength(bodyOf({})) + 2_048 + 64;

let customer: Customer;
beforeEach(async () => {
  // An agent whose report was far out of range has been drained, so it joins again.
  rig.rejoin();
  customer = await rig.customer(CREDIT);
});
afterEach(async () => {
  await rig.ended();
  expect(await rig.balance(customer.organization)).toMatchObject({ held: 0n });
});

/** Returns the one usage row, and how often `what` was clamped for it. */
async function clampedBy(what: string, report: () => Promise<void>) {
  const before = await rig.clamped(what);
  await report();
  const [row] = await rig.rows(customer.organization);
  return { row, alarms: (await rig.clamped(what)) - before };
}

test('MONEY 18: a prompt is never more than its bytes allow', async () => {
  const { row, alarms } = await clampedBy('prompt_clamped', async () => {
    const { stream, seen } = await rig.begin(customer);
    stream.content(1_000_000, 1);
    stream.finish(1_000_000, 1);
    expect((await seen).usage).toMatchObject({ prompt_tokens: PROMPT_MAX });
  });
  const cost = BigInt(PROMPT_MAX) * PRICE.prompt + PRICE.completion;
  expect(row).toMatchObject({ promptTokens: PROMPT_MAX, cost });
  expect(alarms).toBe(1);
});

test('MONEY 18: an answer is never more than was granted, and never more than was asked for', async () => {
  for (const [fields, most] of [
    [{}, 2_048],
    [{ max_tokens: 7 }, 7],
  ] as const) {
    const { row, alarms } = await clampedBy('completion_clamped', async () => {
      const { stream, seen } = await rig.begin(customer, fields);
      stream.content(estimate(fields), 5);
      stream.finish(estimate(fields), 1_000_000);
      expect((await seen).usage).toMatchObject({ completion_tokens: most });
    });
    const cost = BigInt(estimate(fields)) * PRICE.prompt + BigInt(most) * PRICE.completion;
    expect(row).toMatchObject({ completionTokens: most, cost });
    expect(alarms).toBe(1);
  }
});

test('MONEY 18: counts that shrink do not lower what was shown before', async () => {
  const { stream, seen } = await rig.begin(customer);
  stream.content(PROMPT, 9);
  stream.finish(3, 4);
  expect((await seen).usage).toMatchObject({ prompt_tokens: PROMPT, completion_tokens: 9 });
});

test('MONEY 18: never more is cached than was ever sent to that worker for that organization', async () => {
  const cached = async (fields: object, reported: number) => {
    const { stream, seen } = await rig.begin(customer, fields);
    stream.content(2_000, 1);
    stream.finish(2_000, 1, { cached: reported });
    return (await seen).usage?.prompt_tokens_details?.cached_tokens;
  };
  const fields = { messages: [{ role: 'user', content: 'word '.repeat(2_000) }] };
  const { alarms } = await clampedBy('cached_clamped', async () => {
    // Nothing was sent for this organization yet, and its salt is its own.
    expect(await cached(fields, 1_990)).toBe(0);
    // Now this prompt may be in the cache, up to its own length …
    expect(await cached(fields, 1_990)).toBe(1_990);
    expect(await cached(fields, 5_000)).toBe(2_000);
    // … but another prompt only as far as the two begin alike.
    const other = { messages: [{ role: 'user', content: 'else '.repeat(2_000) }] };
    expect(await cached(other, 1_990)).toBe(1_024);
    expect(await cached(fields, -3)).toBe(0);
  });
  expect(alarms).toBe(4);
});

test('MONEY 18: who reports more than it was granted in mid-stream is sent away, and the answer is free', async () => {
  const { stream, seen } = await rig.begin(customer);
  stream.content(PROMPT, 2_049);
  expect((await seen).status).toBe(502);
  rig.rejoin();
  expect(await rig.rows(customer.organization)).toMatchObject([{ cost: 0n, outcome: 'voided' }]);
});
