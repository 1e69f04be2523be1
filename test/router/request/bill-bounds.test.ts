/**
 * The most that a host may bill for one request, bounded by what the router has seen of it, and
 * what happens to a host that lies.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TokenOverheads } from '../../../router/metering/token-overheads.ts';
import { BILL_LIMITS } from '../../../router/request/bill-bounds.ts';
import { bodyOf, type Customer, estimate, MODEL, PRICE, RequestRig } from './rig.ts';

const PROMPT = estimate();
/** The request's bytes, 64 for its one message, and 256 for the chat template. */
const PROMPT_MOST = Buffer.byteLength(bodyOf({})) + 64 + 256;

let rig: RequestRig;
let customer: Customer;
beforeEach(async () => {
  rig = await RequestRig.start({}, BILL_LIMITS);
  customer = await rig.customer(10n ** 12n);
});
afterEach(() => rig[Symbol.asyncDispose]());

function alarms(): string[] {
  return [...rig.alarms.all()].map(({ kind }) => kind);
}

test('MONEY 18: a prompt of thousands of tokens for a body of a hundred bytes is charged at the bound, with an alarm', async () => {
  const { stream, seen } = await rig.begin(customer);
  const reported = Buffer.byteLength(bodyOf({})) + 2_048 + 64;
  stream.content(reported, 1);
  stream.finish(reported, 1);
  expect((await seen).usage).toMatchObject({ prompt_tokens: PROMPT_MOST });
  const [row] = await rig.rows(customer.organization);
  const cost = BigInt(PROMPT_MOST) * PRICE.prompt + PRICE.completion;
  expect(row).toMatchObject({ promptTokens: PROMPT_MOST, cost });
  expect(alarms()).toEqual(['prompt_inflated']);
});

async function inflatedFor(whom: Customer): Promise<void> {
  const { stream, seen } = await rig.begin(whom, { max_tokens: 4_096 });
  stream.content(PROMPT, 1, 'x');
  stream.finish(PROMPT, 4_096, { finish: 'length' });
  await seen;
}

const phases = () => [...rig.fleet.workers].map(({ phase }) => phase);

test('MONEY 18: a worker that reports far too much to three organizations is drained', async () => {
  await inflatedFor(customer);
  await inflatedFor(await rig.customer(10n ** 12n));
  expect(phases()).toEqual(['ready']);
  await inflatedFor(await rig.customer(10n ** 12n));
  expect(phases()).toEqual(['draining']);
  expect(await rig.refused(customer)).toEqual([503, 'no_worker']);
});

test('MONEY 18: a drained worker that dials anew is believed, until three organizations have seen it lie again', async () => {
  for (let one = 0; one < 3; one++) await inflatedFor(await rig.customer(10n ** 12n));
  expect(phases()).toEqual(['draining']);
  rig.agent.drop();
  rig.rejoin();
  expect(phases()).toEqual(['ready']);
  await inflatedFor(customer);
  expect(phases()).toEqual(['ready']);
});

test('what was reported more than ten minutes ago is no longer counted against a worker', async () => {
  await inflatedFor(customer);
  await inflatedFor(await rig.customer(10n ** 12n));
  rig.agent.drop();
  await rig.pass(10 * 60_000 + 1);
  rig.rejoin();
  await inflatedFor(await rig.customer(10n ** 12n));
  expect(phases()).toEqual(['ready']);
});

test('one customer takes no worker from the others, however often they ask for tokens that have no text', async () => {
  for (let request = 0; request < 5; request++) await inflatedFor(customer);
  expect(alarms()).toEqual(['completion_inflated']);
  expect(phases()).toEqual(['ready']);
});

test('MONEY 18: thousands of tokens for an answer of one character are charged at the bound, with an alarm', async () => {
  const { stream, seen } = await rig.begin(customer, { max_tokens: 4_096 });
  stream.content(PROMPT, 1, 'x');
  stream.finish(PROMPT, 4_096, { finish: 'length' });
  const { usage } = await seen;
  const shown = usage?.completion_tokens ?? 0;
  expect(shown).toBe(1 + 128);
  const [row] = await rig.rows(customer.organization);
  expect(row).toMatchObject({ completionTokens: shown });
  expect(alarms()).toEqual(['completion_inflated']);
});

test('MONEY 18: who leaves an answer pays for no more of it than can have been delivered', async () => {
  const { stream, response, leave } = await rig.begin(customer);
  stream.content(PROMPT, 1, 'x');
  await response;
  leave();
  await stream.cancelled();
  stream.stop(PROMPT, 2_048);
  const [row] = await rig.rows(customer.organization);
  expect(row?.completionTokens).toBe(1 + 128);
});

test('MONEY 18: a template that is a little larger than was taken costs its host that, and no more', async () => {
  const { stream, seen } = await rig.begin(customer);
  stream.content(PROMPT_MOST + 200, 1);
  stream.finish(PROMPT_MOST + 200, 1);
  expect((await seen).usage).toMatchObject({ prompt_tokens: PROMPT_MOST });
  expect(await rig.clamped('prompt_clamped')).toBe(1);
  expect(alarms()).toEqual([]);
  expect([...rig.fleet.workers].map(({ phase }) => phase)).toEqual(['ready']);
});

test('what a template adds is learned from several hosts, and one alone cannot raise it', () => {
  const learned = new TokenOverheads(BILL_LIMITS);
  for (let answer = 0; answer < 10; answer++) learned.learn(MODEL, 'prompt', 'rogue', 2_000);
  expect(learned.of(MODEL, 'prompt')).toBe(256);
  learned.learn(MODEL, 'prompt', 'honest', 400);
  expect(learned.of(MODEL, 'prompt')).toBe(400 * 1.25 + 16);
  learned.learn(MODEL, 'prompt', 'another', 390);
  expect(learned.of(MODEL, 'prompt')).toBe(400 * 1.25 + 16);
  expect(learned.of('another/model', 'prompt')).toBe(256);
});

test('it never exceeds what any template may add, nor falls below where it began', () => {
  const learned = new TokenOverheads(BILL_LIMITS);
  for (const agent of ['one', 'two']) learned.learn(MODEL, 'prompt', agent, 100_000);
  expect(learned.of(MODEL, 'prompt')).toBe(2_048);
  const low = new TokenOverheads(BILL_LIMITS);
  for (const agent of ['one', 'two']) low.learn(MODEL, 'completion', agent, -500);
  expect(low.of(MODEL, 'completion')).toBe(128);
});

test('what hosts have not shown for long is forgotten', () => {
  const learned = new TokenOverheads(BILL_LIMITS);
  for (const agent of ['one', 'two']) learned.learn(MODEL, 'prompt', agent, 1_000);
  for (let answer = 0; answer < 130; answer++) {
    for (const agent of ['one', 'two']) learned.learn(MODEL, 'prompt', agent, 10);
  }
  expect(learned.of(MODEL, 'prompt')).toBe(256);
});
