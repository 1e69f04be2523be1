/**
 * What an answer may use while it runs, within its credit, the store's availability, its key and
 * its organization.
 */
import { expect, test } from 'vitest';
import { revokeKey } from '../../../router/identity/keys.ts';
import { delivered } from '../../agent/support/gate.ts';
import { setStatus } from '../ledger/set-organization.ts';
import { estimate, PRICE } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const RICH = 10n ** 12n;
/** As many prompt tokens as the first hold pays for, so that it fits exactly. */
const PROMPT = estimate();
const FIRST = BigInt(PROMPT) * PRICE.prompt + 2_048n * PRICE.completion;

/** The model's context in tokens, and a request body that may be that long. */
const CONTEXT = 262_144;
const LONG = { messages: [{ role: 'user', content: 'x'.repeat(CONTEXT) }] };

const extensions = () => rig.gated.asked.get('extend') ?? 0;

test('MONEY 7: a hold is extended when half of it is used, so that the answer never waits', async () => {
  const { stream, seen } = await rig.begin(await rig.customer(RICH));
  const before = extensions();
  stream.content(PROMPT, 1_023);
  await delivered();
  expect(extensions()).toBe(before);
  stream.content(PROMPT, 1_024);
  await stream.granted(({ tokens }) => tokens === 4_096);
  expect(extensions()).toBe(before + 1);
  // Half of the first grant was still unused at that point.
  stream.content(PROMPT, 2_560);
  await stream.granted(({ tokens }) => tokens === 6_144);
  expect(stream.grants.every(({ final }) => !final)).toBe(true);
  stream.finish(PROMPT, 2_560);
  expect((await seen).done).toBe(true);
});

test('an answer that was granted whole with its open gets no further grant', async () => {
  const { stream, seen } = await rig.begin(await rig.customer(RICH), { max_tokens: 16 });
  stream.content(PROMPT, 8);
  stream.content(PROMPT, 16);
  stream.finish(PROMPT, 16, { finish: 'length' });
  expect(await seen).toMatchObject({ done: true, usage: { completion_tokens: 16 } });
  expect(stream.grants).toMatchObject([{ tokens: 16, final: true }]);
});

test('MONEY 7, 9: the last slice may be one token, and there the answer ends with length, and is paid', async () => {
  const customer = await rig.customer(FIRST + PRICE.completion);
  const { stream, seen } = await rig.begin(customer);
  stream.content(PROMPT, 1_024);
  await stream.granted(({ tokens }) => tokens === 2_049);
  stream.content(PROMPT, 2_000);
  await stream.granted(({ final }) => final);
  expect(stream.grant.tokens).toBe(2_049);
  stream.content(PROMPT, 2_049);
  stream.cutShort(PROMPT, 2_049);
  expect(await seen).toMatchObject({
    done: true,
    finish: 'length',
    usage: { prompt_tokens: PROMPT, completion_tokens: 2_049 },
  });
  expect(await rig.balance(customer.organization)).toMatchObject({ balance: 0n, held: 0n });
});

test('MONEY 10: an outage is not the end of the credit: the answer waits at its grant, and goes on', async () => {
  const { stream, seen } = await rig.begin(await rig.customer(RICH));
  rig.faulty.fault = 'unreached';
  const before = extensions();
  stream.content(PROMPT, 1_024);
  await rig.until(() => extensions() > before);
  stream.content(PROMPT, 2_048);
  // The extension is requested again each second. The grant never becomes final.
  await rig.passUntil(() => extensions() >= before + 5);
  expect(stream.grants.map(({ tokens, final }) => [tokens, final])).toEqual([[2_048, false]]);
  expect(stream.isCancelled).toBe(false);
  rig.faulty.fault = 'none';
  await rig.passUntil(() => stream.grant.tokens >= 4_096);
  stream.content(PROMPT, 3_000);
  stream.finish(PROMPT, 3_000);
  expect(await seen).toMatchObject({ done: true, finish: 'stop' });
});

test('MONEY 10, 20: an outage that lasts ends the answer, cut and free, once holds may be freed by others', async () => {
  const customer = await rig.customer(RICH);
  const { stream, seen } = await rig.begin(customer);
  stream.content(PROMPT, 1);
  rig.faulty.fault = 'unreached';
  stream.content(PROMPT, 1_024);
  await rig.pass(10_000);
  expect(stream.isCancelled).toBe(false);
  // Half the time to live without a heartbeat.
  await rig.pass(5_000);
  await stream.cancelled();
  expect(await seen).toMatchObject({ done: false, finish: null, ended: 'cut' });
  expect(await rig.refused(customer)).toEqual([503, 'store_unavailable']);
  rig.faulty.fault = 'none';
  await rig.pass(10_000);
  const [row] = await rig.rows(customer.organization);
  expect(row).toMatchObject({ status: 503, error: 'store_unavailable', cost: 0n });
  expect(await rig.balance(customer.organization)).toMatchObject({ balance: RICH, held: 0n });
});

test('MONEY 11: what runs when its key is revoked finishes within its grant; the next request gets 401', async () => {
  const customer = await rig.customer(RICH);
  const { stream, seen } = await rig.begin(customer);
  stream.content(PROMPT, 100);
  const { organization, key } = customer;
  await rig.books.store.call(revokeKey, { organization, key, to: 'revoked' });
  expect(await rig.refused(customer)).toEqual([401, 'invalid_api_key']);
  stream.content(PROMPT, 1_024);
  await stream.granted(({ final }) => final);
  expect(stream.grant.tokens).toBe(2_048);
  stream.content(PROMPT, 2_048);
  stream.cutShort(PROMPT, 2_048);
  expect(await seen).toMatchObject({ done: true, finish: 'length' });
  const left = RICH - FIRST;
  expect(await rig.balance(organization)).toMatchObject({ balance: left, held: 0n });
});

test('MONEY 11: suspending an organization cuts what runs with the next beat, charged as far as it came', async () => {
  const customer = await rig.customer(RICH);
  const other = await rig.begin(await rig.customer(RICH));
  const { stream, seen } = await rig.begin(customer);
  stream.content(PROMPT, 100);
  const { organization } = customer;
  await rig.books.store.call(setStatus, { organization, status: 'suspended' });
  await rig.ledger.heartbeat();
  await stream.cancelled();
  stream.stop(PROMPT, 103);
  expect(await seen).toMatchObject({ done: false, finish: null, ended: 'cut' });
  const cost = BigInt(PROMPT) * PRICE.prompt + 103n * PRICE.completion;
  await rig.until(async () => (await rig.rowsNow(organization)).length > 0);
  const [row] = await rig.rowsNow(organization);
  expect(row).toMatchObject({ status: 499, cost, completionTokens: 103 });
  expect(await rig.refused(customer)).toEqual([403, 'organization_suspended']);
  expect(other.stream.isCancelled).toBe(false);
  other.stream.content(PROMPT, 1);
  other.stream.finish(PROMPT, 1);
  expect((await other.seen).done).toBe(true);
});

test('MONEY 10: an extension that was committed and not answered is found when it is asked for again', async () => {
  const customer = await rig.customer(FIRST + 2_048n * PRICE.completion);
  const { stream, seen } = await rig.begin(customer);
  const before = extensions();
  rig.faulty.fault = 'unanswered';
  stream.content(PROMPT, 1_024);
  await rig.until(async () => (await rig.balance(customer.organization)).held > FIRST);
  rig.faulty.fault = 'none';
  await rig.passUntil(() => extensions() >= before + 2 && stream.grants.length > 1);
  expect(stream.grant.tokens).toBe(4_096);
  stream.content(PROMPT, 4_000);
  await stream.granted(({ final }) => final);
  stream.cutShort(PROMPT, 4_096);
  expect(await seen).toMatchObject({ finish: 'length', usage: { completion_tokens: 4_096 } });
  expect(await rig.balance(customer.organization)).toMatchObject({ balance: 0n, held: 0n });
});

test('MONEY 6, 9: little room left in the context: what was granted before is bounded by it, held and paid', async () => {
  const customer = await rig.customer(RICH);
  const prompt = CONTEXT - 100;
  const { stream, seen } = await rig.begin(customer, LONG);
  expect(stream.open.grant.tokens).toBe(2_048);
  stream.content(prompt, 1);
  await stream.granted(({ final }) => final);
  expect(stream.grant.tokens).toBe(100);
  stream.content(prompt, 100);
  // An engine with a larger context goes on, because it sent these counts before it received the
  // bound.
  stream.content(prompt, 120);
  const { finish, usage, done } = await seen;
  expect({ finish, usage, done }).toMatchObject({
    done: true,
    finish: 'length',
    usage: { prompt_tokens: prompt, completion_tokens: 100, total_tokens: CONTEXT },
  });
  await stream.cancelled();
  const [row] = await rig.rows(customer.organization);
  expect(row).toMatchObject({ completionTokens: 100, outcome: 'settled', finishReason: 'length' });
  expect(await rig.balance(customer.organization)).toMatchObject({ held: 0n });
});

test('MONEY 6, 9: an answer that is not streamed is charged for no more than the context has room for', async () => {
  const customer = await rig.customer(RICH);
  const prompt = CONTEXT - 100;
  const { stream, response } = await rig.beginRaw(customer, {
    ...LONG,
    stream: false,
    stream_options: undefined,
  });
  stream.content(prompt, 90);
  stream.counts(prompt, 120);
  stream.finish(prompt, 120);
  expect(await (await response).json()).toMatchObject({
    usage: { prompt_tokens: prompt, completion_tokens: 100 },
  });
  expect(await rig.rows(customer.organization)).toMatchObject([{ completionTokens: 100 }]);
});

test('MONEY 6: an engine that counts nothing before its end is charged for no more than the context has room for', async () => {
  const customer = await rig.customer(RICH);
  rig.agent.report(rig.models, { runningUsage: false });
  const { stream, seen } = await rig.begin(customer, LONG);
  stream.content(0, 0);
  stream.finish(CONTEXT - 100, 4_000);
  expect((await seen).usage).toMatchObject({ completion_tokens: 100, total_tokens: CONTEXT });
  expect(await rig.rows(customer.organization)).toMatchObject([{ outcome: 'settled' }]);
  rig.agent.report(rig.models);
});

test('MONEY 6: where the store has lost what was granted, and there is no credit for it again, the answer ends unsettled', async () => {
  const customer = await rig.customer(FIRST + 2_048n * PRICE.completion);
  const { organization } = customer;
  const { stream, seen } = await rig.begin(customer);
  stream.content(PROMPT, 1_024);
  await stream.granted(({ tokens }) => tokens === 4_096);
  // The state that a server leaves that crashed before the extension was on disk, after the credit
  // was spent elsewhere.
  await rig.books.sql(
    `UPDATE holds SET amount = ${FIRST} WHERE organization = '${organization}'`,
    `UPDATE accounts SET held = ${FIRST} WHERE id = '${organization}'`,
    `UPDATE meters SET held = ${FIRST} WHERE organization = '${organization}'`,
  );
  await rig.spend(customer, 2_048n * PRICE.completion);
  stream.content(PROMPT, 2_560);
  await stream.cancelled();
  expect(await seen).toMatchObject({ done: false, ended: 'cut' });
  expect(await rig.rows(organization)).toMatchObject([
    { cost: 0n, status: 500, error: 'internal_error' },
  ]);
  expect(await rig.clamped('grant_uncovered')).toBe(1);
  expect(await rig.balance(organization)).toMatchObject({ balance: FIRST, held: 0n });
});
