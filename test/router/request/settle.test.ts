/** The charge, and the final bytes that wait for it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { delivered } from '../../agent/support/gate.ts';
import { type Begun, type Customer, estimate, PRICE } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const CREDIT = 10n ** 12n;
const PROMPT = estimate();
const COST = BigInt(PROMPT) * PRICE.prompt + 6n * PRICE.completion;
const CUT = { done: false, finish: null, usage: null, ended: 'cut' } as const;

let customer: Customer;
beforeEach(async () => {
  customer = await rig.customer(CREDIT);
});
afterEach(async () => {
  await rig.ended();
  expect(await rig.balance(customer.organization)).toMatchObject({ held: 0n, reserve: 0n });
});

/** An answer whose content was sent, and whose end is about to arrive. */
async function almostDone(fields: object = {}): Promise<Begun> {
  const begun = await rig.begin(customer, fields);
  begun.stream.content(PROMPT, 5);
  if (begun.stream.open.streamed) await begun.response;
  return begun;
}

const settlements = () => rig.gated.asked.get('settle') ?? 0;
const balance = async () => (await rig.balance(customer.organization)).balance;

/** A stream as it arrives, unparsed. */
class BytesRead {
  text = '';
  readonly ended: Promise<void>;

  constructor({ body }: Response) {
    this.ended = this.#read(body as ReadableStream<Uint8Array>);
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const piece of body) this.text += decoder.decode(piece, { stream: true });
  }
}

test('MONEY 12: of a stream, the finish chunk, the usage and [DONE] wait for the charge', async () => {
  const { stream, response } = await rig.beginRaw(customer);
  stream.content(PROMPT, 5);
  const read = new BytesRead(await response);
  await rig.until(() => read.text.includes('word'));
  const gate = rig.gated.hold('settle');
  stream.finish(PROMPT, 6);
  await gate.reached;
  await delivered();
  expect(read.text).not.toMatch(/stop|usage|DONE/);
  expect(await balance()).toBe(CREDIT);
  gate.letGo();
  await read.ended;
  expect(read.text).toMatch(/"finish_reason":"stop".*"usage":\{.*\[DONE\]/s);
  expect(await balance()).toBe(CREDIT - COST);
});

test('MONEY 12: a whole answer waits for its charge, and shows what was charged', async () => {
  const fields = { stream: false, stream_options: undefined };
  const { stream, response } = await rig.beginRaw(customer, fields);
  let answered = false;
  void response.finally(() => {
    answered = true;
  });
  const gate = rig.gated.hold('settle');
  const prompt = estimate(fields);
  stream.content(prompt, 6);
  stream.finish(prompt, 6);
  await gate.reached;
  await delivered();
  expect(answered).toBe(false);
  gate.letGo();
  const { usage } = (await (await response).json()) as { usage: object };
  expect(usage).toMatchObject({ prompt_tokens: prompt, completion_tokens: 6 });
  const [row] = await rig.rows(customer.organization);
  const cost = BigInt(prompt) * PRICE.prompt + 6n * PRICE.completion;
  expect(row).toMatchObject({ promptTokens: prompt, completionTokens: 6, cost });
});

test('MONEY 13: where the hold is gone and the account cannot bear the charge, no final bytes go out', async () => {
  const begun = await almostDone();
  // A peer declared this router dead, and the credit has been spent since.
  await sweep();
  const { organization } = customer;
  const spending = rig.books.reservation(organization, CREDIT, { key: customer.key });
  expect(await rig.books.ledger.reserve(spending)).toHaveProperty('held');
  begun.stream.finish(PROMPT, 6);
  expect(await begun.seen).toMatchObject(CUT);
  await rig.books.void(organization, spending.request);
  const [, row] = await rig.rows(organization);
  const why = { status: 402, error: 'insufficient_credit', finishReason: null };
  expect(row).toMatchObject({ cost: 0n, outcome: 'voided', ...why });
  await rig.ledger.heartbeat();
});

test('MONEY 13: where the hold is gone and the account bears the charge, the answer is completed', async () => {
  const begun = await almostDone();
  await sweep();
  begun.stream.finish(PROMPT, 6);
  expect(await begun.seen).toMatchObject({ done: true, finish: 'stop' });
  expect(await balance()).toBe(CREDIT - COST);
  await rig.ledger.heartbeat();
});

/** Frees all holds of the router under test, as its peers do when it was silent. */
async function sweep(): Promise<void> {
  await rig.books.sweep(rig.ledger.incarnation);
}

test('MONEY 14: a charge whose answer was lost is asked for again under the same id, and made once', async () => {
  const { stream, seen } = await almostDone();
  rig.faulty.fault = 'unanswered';
  const before = settlements();
  stream.finish(PROMPT, 6);
  await rig.passUntil(() => settlements() >= before + 3);
  rig.faulty.fault = 'none';
  await rig.passUntil(() => rig.underWay.size === 0);
  expect(await seen).toMatchObject({ done: true, finish: 'stop' });
  expect(await rig.rows(customer.organization)).toMatchObject([{ cost: COST }]);
  expect(await balance()).toBe(CREDIT - COST);
});

test('MONEY 14: after ten seconds the answer is cut, and the charge that was made is reversed', async () => {
  const { stream, seen } = await almostDone();
  rig.faulty.fault = 'unanswered';
  const { clock } = rig.books;
  const since = clock.monotonic();
  let cut = false;
  void seen.finally(() => {
    cut = true;
  });
  stream.finish(PROMPT, 6);
  await rig.passUntil(() => clock.monotonic() - since > 9_000);
  expect(cut).toBe(false);
  expect(await balance()).toBe(CREDIT - COST);
  await rig.passUntil(() => cut);
  expect(clock.monotonic() - since).toBeLessThanOrEqual(10_000);
  expect(await seen).toMatchObject(CUT);
  rig.faulty.fault = 'none';
  await rig.passUntil(() => rig.underWay.size === 0);
  const [row] = await rig.rows(customer.organization);
  expect(row).toMatchObject({ outcome: 'voided', cost: 0n, error: 'store_unavailable' });
  expect(await balance()).toBe(CREDIT);
});

test('MONEY 14: a charge that is to be reversed, and for now cannot be, is reversed once it can', async () => {
  const { stream, seen } = await almostDone();
  const { organization } = customer;
  rig.faulty.fault = 'unanswered';
  let cut = false;
  void seen.finally(() => {
    cut = true;
  });
  stream.finish(PROMPT, 6);
  await rig.until(async () => (await balance()) === CREDIT - COST);
  rig.faulty.fault = 'unreached';
  await rig.passUntil(() => cut);
  // The next transfer would collide with the last one.
  const move = (by: number) =>
    rig.books.sql(
      `UPDATE accounts SET transfer_seq = transfer_seq + ${by} WHERE id = '${organization}'`,
    );
  await move(-1);
  rig.faulty.fault = 'none';
  await rig.passUntil(() => rig.underWay.size === 0);
  expect(await balance()).toBe(CREDIT - COST);
  await move(1);
  await rig.pass(60_000);
  await rig.until(async () => (await balance()) === CREDIT);
  const [row] = await rig.rows(organization);
  expect(row).toMatchObject({ outcome: 'voided', cost: 0n, error: 'store_unavailable' });
});

test('MONEY 16: who leaves an answer pays for its cached prompt as the router predicts it, and the row says so', async () => {
  const fields = { messages: [{ role: 'user', content: 'word '.repeat(2_000) }] };
  const first = await rig.begin(customer, fields);
  first.stream.content(2_000, 1);
  first.stream.finish(2_000, 1, { cached: 0 });
  await first.seen;
  const second = await rig.begin(customer, fields);
  second.stream.content(2_000, 3);
  await second.response;
  second.leave();
  await second.stream.cancelled();
  second.stream.stop(2_000, 3);
  const [row] = await rig.rows(customer.organization);
  const cached = row?.cachedTokens ?? 0;
  expect(cached).toBeGreaterThan(1_500);
  expect(row).toMatchObject({
    cachedSource: 'predicted',
    cost:
      BigInt(2_000 - cached) * PRICE.prompt + BigInt(cached) * PRICE.cached + 3n * PRICE.completion,
  });
});

test('MONEY 16: so does an answer that ends with its credit, and shows what it is charged for', async () => {
  const fields = { messages: [{ role: 'user', content: 'word '.repeat(2_000) }] };
  const prompt = estimate(fields);
  const first = await rig.begin(customer, { ...fields, max_tokens: 1 });
  first.stream.content(prompt, 1);
  first.stream.finish(prompt, 1, { cached: 0 });
  await first.seen;
  await rig.ended();
  const rest = await balance();
  const slice = BigInt(prompt) * PRICE.prompt + 2_048n * PRICE.completion;
  await rig.spend(customer, rest - slice);
  const { stream, seen } = await rig.begin(customer, fields);
  stream.content(prompt, 1_024);
  await stream.granted(({ final }) => final);
  stream.content(prompt, 2_048);
  stream.cutShort(prompt, 2_048);
  const { usage, finish } = await seen;
  const [row] = await rig.rows(customer.organization);
  const cached = row?.cachedTokens ?? 0;
  expect(finish).toBe('length');
  expect(cached).toBeGreaterThan(1_500);
  expect(row).toMatchObject({ cachedSource: 'predicted', completionTokens: 2_048 });
  expect(usage).toMatchObject({ prompt_tokens_details: { cached_tokens: cached } });
  const saved = BigInt(cached) * (PRICE.prompt - PRICE.cached);
  expect(await balance()).toBe(saved);
});
