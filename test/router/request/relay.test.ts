/** Answers that do not end well, and who pays for them. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { delivered, standstill } from '../../agent/support/gate.ts';
import { type Begun, type Customer, estimate, PRICE, refusalOf } from './rig.ts';
import { endless } from './scripted-agent.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const CREDIT = 10n ** 12n;
const PROMPT = estimate();

let customer: Customer;
beforeEach(async () => {
  customer = await rig.customer(CREDIT);
});
/** After every test nothing is held, and the balance agrees with the usage rows. */
afterEach(async () => {
  const rows = await rig.rows(customer.organization);
  const charged = rows.reduce((sum, one) => sum + one.cost, 0n);
  const after = { balance: CREDIT - charged, held: 0n, reserve: 0n };
  expect(await rig.balance(customer.organization)).toMatchObject(after);
});

function cost(prompt: number, completion: number): bigint {
  return BigInt(prompt) * PRICE.prompt + BigInt(completion) * PRICE.completion;
}

async function row() {
  const [only, ...more] = await rig.rows(customer.organization);
  expect(more).toEqual([]);
  return only;
}

/** Reads at least this many bytes, and no further chunk after them. A cut answer may have fewer. */
async function take(reading: IncomingMessage, bytes: number): Promise<void> {
  const closed = once(reading, 'close').catch(() => {});
  for (let taken = 0; taken < bytes && !reading.destroyed; ) {
    const piece = reading.read() as Buffer | null;
    if (piece !== null) taken += piece.length;
    else await Promise.race([once(reading, 'readable').catch(() => {}), closed]);
  }
}

const CUT = { done: false, finish: null, usage: null, ended: 'cut' } as const;

const FAILURES: [what: string, fail: (begun: Begun) => void, error: string][] = [
  ['the engine fails', ({ stream }) => stream.fail(), 'engine_failed'],
  ['the agent ends it unasked', ({ stream }) => stream.stop(PROMPT, 5), 'engine_failed'],
  ['the agent exceeds its grant', ({ stream }) => stream.content(PROMPT, 9_999), 'worker_lost'],
  ['the link breaks', () => rig.agent.drop(), 'worker_lost'],
];
test.each(FAILURES)('MONEY 15: %s in mid-stream: cut, and free', async (_what, fail, error) => {
  const begun = await rig.begin(customer);
  begun.stream.content(PROMPT, 5);
  await begun.response;
  fail(begun);
  const seen = await begun.seen;
  expect(seen).toMatchObject({ ...CUT, text: 'word ' });
  expect(seen.raw).not.toContain('"error"');
  expect(await row()).toMatchObject({ cost: 0n, outcome: 'voided', status: 502, error });
  rig.rejoin();
});

test('MONEY 15: an empty answer is no answer, and free', async () => {
  const { stream, seen } = await rig.begin(customer);
  stream.finish(PROMPT, 0);
  expect(refusalOf(await seen)).toEqual([502, 'engine_failed']);
  expect(await row()).toMatchObject({ cost: 0n, outcome: 'voided' });
});

test('MONEY 15, 20: an answer that stops coming is cut after two minutes, and free', async () => {
  const { stream, seen } = await rig.begin(customer);
  stream.content(PROMPT, 5);
  await rig.pass(115_000);
  expect(stream.isCancelled).toBe(false);
  await rig.pass(10_000);
  expect(await seen).toMatchObject(CUT);
  expect(await row()).toMatchObject({ cost: 0n, status: 504, error: 'idle_timeout' });
});

test('MONEY 15, 20: an answer that takes more than an hour is cut, and charged as far as it came', async () => {
  const { stream, seen } = await rig.begin(customer);
  for (let minute = 1; minute <= 60; minute++) {
    stream.content(PROMPT, minute);
    await rig.pass(60_000);
  }
  expect(stream.isCancelled).toBe(false);
  await rig.pass(1_000);
  await stream.cancelled();
  stream.stop(PROMPT, 61);
  expect(await seen).toMatchObject(CUT);
  const tokens = { completionTokens: 61, cost: cost(PROMPT, 61) };
  expect(await row()).toMatchObject({ ...tokens, status: 504, error: 'deadline_exceeded' });
});

test('MONEY 15, 20: who takes more than an hour to read an answer pays for what was generated', async () => {
  const { stream, response } = await rig.beginUnread(customer);
  const answer = endless(stream, PROMPT);
  await standstill(() => answer.send());
  const reading = await response;
  while (!stream.isCancelled && !reading.destroyed) {
    await take(reading, 4 * 1024 * 1024);
    await standstill(() => answer.send());
    await rig.pass(50_000);
  }
  await stream.cancelled();
  stream.stop(PROMPT, answer.count);
  const tokens = { completionTokens: answer.count, cost: cost(PROMPT, answer.count) };
  expect(await row()).toMatchObject({ ...tokens, status: 504, error: 'deadline_exceeded' });
});

test('MONEY 15, 20: an answer of which nothing was shown within an hour is free', async () => {
  const { stream, seen } = await rig.begin(customer, { stream: false });
  for (let minute = 1; minute <= 60; minute++) {
    stream.content(PROMPT, minute);
    await rig.pass(60_000);
  }
  await rig.pass(1_000);
  expect(refusalOf(await seen)).toEqual([504, 'deadline_exceeded']);
  expect(stream.isCancelled).toBe(true);
  expect(await row()).toMatchObject({ cost: 0n, status: 504, error: 'deadline_exceeded' });
});

test('an agent that refuses after its first record has broken the rules: no other worker is tried', async () => {
  const { stream, seen } = await rig.begin(customer);
  stream.content(PROMPT, 5);
  await delivered();
  rig.agent.say({ type: 'refused', stream: stream.open.stream, reason: 'busy' });
  expect(await seen).toMatchObject({ ...CUT, text: 'word ' });
  expect(rig.agent.streams.filter(({ taken }) => !taken)).toEqual([]);
  expect(await row()).toMatchObject({ cost: 0n, status: 502, outcome: 'voided' });
  rig.rejoin();
});

test('MONEY 15: who leaves before the engine took the request pays nothing', async () => {
  const { stream, leave } = await rig.begin(customer);
  leave();
  await stream.cancelled();
  stream.stop(0, 0, false);
  expect(await row()).toMatchObject({ cost: 0n, status: 499, outcome: 'voided' });
});

test('MONEY 15: who leaves before the first record pays for the prompt, where the engine counted it', async () => {
  const { stream, leave } = await rig.begin(customer);
  leave();
  await stream.cancelled();
  stream.stop(500, 0);
  expect(await row()).toMatchObject({ cost: cost(500, 0), status: 499, outcome: 'settled' });
});

test('MONEY 15: who leaves before the first record pays nothing where the engine does not count', async () => {
  const { stream, leave } = await rig.begin(customer);
  leave();
  await stream.cancelled();
  stream.stop(0, 0);
  expect(await row()).toMatchObject({ cost: 0n, status: 499, outcome: 'voided' });
});

test('MONEY 15: who leaves later pays for the last count that comes within a second', async () => {
  const { stream, response, leave } = await rig.begin(customer);
  stream.content(PROMPT, 5);
  await response;
  leave();
  await stream.cancelled();
  stream.content(PROMPT, 7);
  stream.stop(PROMPT, 9);
  expect(await row()).toMatchObject({ cost: cost(PROMPT, 9), completionTokens: 9, status: 499 });
});

test('MONEY 15: who leaves later pays for the count before, where none comes within a second', async () => {
  const { stream, response, leave } = await rig.begin(customer);
  stream.content(PROMPT, 5);
  await response;
  leave();
  await stream.cancelled();
  await rig.pass(900);
  expect(rig.underWay.size).toBe(1);
  await rig.pass(500);
  stream.stop(PROMPT, 9);
  expect(await row()).toMatchObject({ cost: cost(PROMPT, 5), completionTokens: 5, status: 499 });
});

test('MONEY 15: who leaves never pays for more than was granted', async () => {
  const { stream, response, leave } = await rig.begin(customer);
  stream.content(PROMPT, 5);
  await response;
  leave();
  await stream.cancelled();
  stream.stop(PROMPT, 50_000);
  const tokens = { completionTokens: 2_048 };
  expect(await row()).toMatchObject({ cost: cost(PROMPT, 2_048), ...tokens });
});

test('MONEY 15: who leaves after the terminal record pays for all of it', async () => {
  const { stream, response, leave } = await rig.begin(customer);
  const gate = rig.gated.hold('settle');
  stream.content(PROMPT, 5);
  await response;
  stream.finish(PROMPT, 6);
  await gate.reached;
  leave();
  await delivered();
  gate.letGo();
  expect(await row()).toMatchObject({ cost: cost(PROMPT, 6), status: 200, outcome: 'settled' });
});

test('MONEY 15: who stops reading pays for what was generated until that was given up', async () => {
  const { stream, response } = await rig.beginUnread(customer);
  const answer = endless(stream, PROMPT);
  // Until neither the client nor the network accepts any more.
  await standstill(() => answer.send());
  await response;
  await rig.pass(55_000);
  expect(stream.isCancelled).toBe(false);
  await rig.pass(10_000);
  await stream.cancelled();
  stream.stop(PROMPT, answer.count);
  expect(await row()).toMatchObject({ cost: cost(PROMPT, answer.count), status: 499 });
});
