/** How an answer ends that does not end well, and who pays for it. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { DELTA_OVERHEAD_BYTES } from '../../../shared/wire/deltas.ts';
import { delivered, standstill } from '../../agent/support/gate.ts';
import { type Begun, type Customer, estimate, PRICE, refusalOf, RequestRig } from './rig.ts';

const CREDIT = 10n ** 12n;
const PROMPT = estimate();

let rig: RequestRig;
let customer: Customer;
beforeAll(async () => {
  rig = await RequestRig.start();
});
beforeEach(async () => {
  customer = await rig.customer(CREDIT);
});
/** Whatever happened, nothing is held, and what was taken is what the rows say. */
afterEach(async () => {
  const rows = await rig.rows(customer.organization);
  const charged = rows.reduce((sum, one) => sum + one.cost, 0n);
  const after = { balance: CREDIT - charged, held: 0n, reserve: 0n };
  expect(await rig.balance(customer.organization)).toMatchObject(after);
});
afterAll(() => rig[Symbol.asyncDispose]());

function cost(prompt: number, completion: number): bigint {
  return BigInt(prompt) * PRICE.prompt + BigInt(completion) * PRICE.completion;
}

async function row() {
  const [only, ...more] = await rig.rows(customer.organization);
  expect(more).toEqual([]);
  return only;
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

test('MONEY 15, 20: an answer without end is cut after an hour, and free', async () => {
  const { stream, seen } = await rig.begin(customer);
  for (let minute = 1; minute <= 60; minute++) {
    stream.content(PROMPT, minute);
    await rig.pass(60_000);
  }
  expect(stream.isCancelled).toBe(false);
  await rig.pass(1_000);
  expect(await seen).toMatchObject(CUT);
  expect(await row()).toMatchObject({ cost: 0n, status: 504, error: 'deadline_exceeded' });
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
  let [count, sent] = [0, 0];
  const text = 'x'.repeat(60_000);
  const bytes = text.length + DELTA_OVERHEAD_BYTES;
  const send = () => {
    while (sent + bytes <= stream.grant.bytes) {
      stream.content(PROMPT, ++count, text);
      sent += bytes;
    }
    return sent;
  };
  // Until neither the client nor the network takes any more.
  await standstill(send);
  await response;
  await rig.pass(55_000);
  expect(stream.isCancelled).toBe(false);
  await rig.pass(10_000);
  await stream.cancelled();
  stream.stop(PROMPT, count);
  expect(await row()).toMatchObject({ cost: cost(PROMPT, count), status: 499 });
});
