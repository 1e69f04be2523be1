/** Requests that are repeated under an Idempotency-Key. */
import { beforeEach, expect, test } from 'vitest';
import { cacheSalt } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { picoUsd } from '../../../shared/money.ts';
import { isRefusal } from '../../../shared/refusals.ts';
import { claimOf } from '../../../router/request/repeats/claim.ts';
import { delivered } from '../../agent/support/gate.ts';
import { setStatus } from '../ledger/set-organization.ts';
import { bodyOf, type Customer, MODEL, PEPPER, PRICE } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const CREDIT = 10n ** 12n;
const COST = 20n * PRICE.prompt + 3n * PRICE.completion;
const WHOLE = { stream: false, stream_options: undefined };

let customer: Customer;
beforeEach(async () => {
  customer = await rig.customer(CREDIT);
});

type Asked = Readonly<{ key?: string; fields?: object; path?: string; signal?: AbortSignal }>;

function ask(of: Customer, { key = 'key-1', fields = WHOLE, path, signal }: Asked = {}) {
  const headers = {
    authorization: `Bearer ${of.value}`,
    'content-type': 'application/json',
    'idempotency-key': key,
    connection: 'close',
  };
  const init = { headers, body: bodyOf(fields), ...(signal && { signal }) };
  const response = rig.post(of, {}, init, path);
  response.catch(() => {});
  return response;
}

async function answered(of: Customer, asked: Asked = {}) {
  const response = ask(of, asked);
  (await rig.agent.next()).content(20, 3, 'Once.');
  rig.agent.streams.at(-1)?.finish(20, 3);
  return read(await response);
}

async function read(response: Response) {
  const { status, headers } = response;
  return {
    status,
    id: headers.get('x-request-id'),
    replayed: headers.get('idempotent-replayed'),
    text: await response.text(),
  };
}

async function refused(response: Promise<Response>) {
  const { status, text } = await read(await response);
  const { error } = JSON.parse(text) as { error: Record<string, string> };
  return { status, code: error['code'], param: error['param'], message: error['message'] };
}

const isIdle = () => rig.agent.streams.every(({ taken }) => taken);
const balance = async () => (await rig.balance(customer.organization)).balance;

test('a repeat gets the first answer again, byte for byte, and one is charged', async () => {
  const first = await answered(customer);
  expect(first).toMatchObject({ status: 200, replayed: null });
  for (let time = 0; time < 3; time++) {
    expect(await read(await ask(customer))).toEqual({ ...first, replayed: 'true' });
  }
  expect(isIdle()).toBe(true);
  expect(await rig.rows(customer.organization)).toMatchObject([{ request: first.id, cost: COST }]);
  expect(await balance()).toBe(CREDIT - COST);
});

test.each([
  ['/v1/completions', { model: MODEL, prompt: 'Once' }, 'x-request-id'],
  ['/v1/responses', { model: MODEL, input: 'Once' }, 'x-request-id'],
  [
    '/v1/messages',
    { model: MODEL, max_tokens: 9, messages: [{ role: 'user', content: 'Once' }] },
    'request-id',
  ],
])('%s is repeated like a chat', async (path, body, header) => {
  const headers = { authorization: `Bearer ${customer.value}`, 'idempotency-key': 'key-1' };
  const send = () => rig.post(customer, {}, { headers, body: JSON.stringify(body) }, path);
  const sent = send();
  const stream = await rig.agent.next();
  stream.content(20, 3, 'Once.');
  stream.finish(20, 3);
  const [first, again] = [await sent, await send()];
  expect(again.headers.get(header)).toBe(first.headers.get(header));
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await again.text()).toBe(await first.text());
  expect(await rig.rows(customer.organization)).toHaveLength(1);
});

test('a body that is read on a thread is recognized, too', async () => {
  const long = (letter: string) => {
    const content = letter.repeat(limits.bodyInlineBytesMax);
    return { ...WHOLE, messages: [{ role: 'user', content }] };
  };
  const first = await answered(customer, { fields: long('a') });
  expect(first).toMatchObject({ status: 200 });
  const again = await read(await ask(customer, { fields: long('a') }));
  expect(again).toEqual({ ...first, replayed: 'true' });
  const other = await refused(ask(customer, { fields: long('b') }));
  expect(other).toMatchObject({ code: 'idempotency_key_reused' });
});

test('a key belongs to its API key and its API: under others it is another key', async () => {
  await answered(customer);
  const stranger = await rig.customer(CREDIT);
  expect(await answered(stranger)).toMatchObject({ status: 200, replayed: null });
  expect(await answered(customer, { key: 'key-2' })).toMatchObject({ replayed: null });
  const fields = { ...WHOLE, messages: undefined, prompt: 'Once' };
  const other = await answered(customer, { fields, path: '/v1/completions' });
  expect(other).toMatchObject({ status: 200, replayed: null });
  expect(await rig.rows(customer.organization)).toHaveLength(3);
});

test('another body under a used key is refused, before and after the answer is forgotten', async () => {
  const other = { ...WHOLE, temperature: 1 };
  const first = ask(customer);
  const stream = await rig.agent.next();
  const reused = { status: 400, code: 'idempotency_key_reused', param: 'idempotency-key' };
  expect(await refused(ask(customer, { fields: other }))).toMatchObject(reused);
  stream.content(20, 3);
  stream.finish(20, 3);
  expect((await first).status).toBe(200);
  expect(await refused(ask(customer, { fields: other }))).toMatchObject(reused);
  await rig.pass(limits.keptAnswerMsMax);
  expect(await refused(ask(customer, { fields: other }))).toMatchObject(reused);
  expect(await balance()).toBe(CREDIT - COST);
});

test('MONEY 27: a repeat that finds no answer any more is refused with the id of the request that was charged', async () => {
  const first = await answered(customer);
  await rig.pass(limits.keptAnswerMsMax);
  const late = await refused(ask(customer));
  expect(late).toMatchObject({ status: 400, code: 'already_answered', param: 'idempotency-key' });
  expect(late.message).toContain(first.id);
  expect(isIdle()).toBe(true);
  expect(await balance()).toBe(CREDIT - COST);
});

test('repeats wait for a request that is under way, and all get its answer', async () => {
  const first = ask(customer);
  const stream = await rig.agent.next();
  const repeats = Array.from({ length: limits.repeatsWaitingMax }, () => ask(customer));
  await rig.until(() => rig.underWay.size === 1 + limits.repeatsWaitingMax);
  await delivered();
  const tooMany = await ask(customer);
  expect(tooMany.headers.get('retry-after')).toBe('1');
  expect(await refused(Promise.resolve(tooMany))).toMatchObject({ code: 'rate_limited' });
  stream.content(20, 3);
  stream.finish(20, 3);
  const { id, text } = await read(await first);
  for (const repeat of repeats) {
    expect(await read(await repeat)).toMatchObject({ id, text, replayed: 'true' });
  }
  expect(await rig.rows(customer.organization)).toHaveLength(1);
});

test('the bytes of replays have a rate: an organization that repeats without end gets 429, and no other', async () => {
  const response = ask(customer);
  const stream = await rig.agent.next();
  const text = 'x'.repeat(200_000);
  for (let part = 0, sent = 0; part < 6; part++) {
    sent += text.length + 1_000;
    if (sent > stream.grant.bytes) await stream.granted(({ bytes }) => bytes >= sent);
    stream.content(20, 3, text);
  }
  stream.finish(20, 3);
  const first = await read(await response);
  const { burst } = limits.replays.peer;
  // All that is kept for an organization can be repeated at once.
  expect(burst).toBeGreaterThanOrEqual(limits.keptAnswersPerOrganizationBytesMax);
  for (let left = Math.floor(burst / first.text.length); left > 0; left--) {
    expect(await read(await ask(customer))).toEqual({ ...first, replayed: 'true' });
  }
  const tooMany = await ask(customer);
  expect(tooMany.headers.get('retry-after')).toBe('1');
  expect(await refused(Promise.resolve(tooMany))).toMatchObject({ code: 'rate_limited' });
  const stranger = await rig.customer(CREDIT);
  await answered(stranger);
  expect(await read(await ask(stranger))).toMatchObject({ replayed: 'true' });
  await rig.pass(1_000);
  expect(await read(await ask(customer))).toEqual({ ...first, replayed: 'true' });
});

test('a failed answer is free and is not kept: a repeat that waited runs, and is charged', async () => {
  const [first, stream] = [ask(customer), await rig.agent.next()];
  const repeat = ask(customer);
  await rig.until(() => rig.underWay.size === 2);
  stream.fail('bad_request');
  expect((await first).status).toBe(400);
  const again = await rig.agent.next();
  again.content(20, 3);
  again.finish(20, 3);
  expect(await read(await repeat)).toMatchObject({ status: 200, replayed: null });
  expect(await rig.rows(customer.organization)).toMatchObject([{ cost: COST }, { cost: 0n }]);
});

test('the answer of a client that left is completed, charged once, and kept for its repeat', async () => {
  const leaving = new AbortController();
  const left = ask(customer, { signal: leaving.signal });
  const stream = await rig.agent.next();
  stream.content(20, 1, 'On');
  leaving.abort();
  await expect(left).rejects.toThrow();
  const repeat = ask(customer);
  await rig.until(() => rig.underWay.size === 2);
  await rig.pass(1_000);
  expect(stream.isCancelled).toBe(false);
  stream.content(20, 3, 'ce.');
  stream.finish(20, 3);
  const { text, ...told } = await read(await repeat);
  expect(told).toMatchObject({ status: 200, replayed: 'true' });
  expect(text).toContain('Once.');
  expect(await rig.rows(customer.organization)).toMatchObject([{ cost: COST, status: 200 }]);
  expect(rig.answers.bytes).toBe(0);
  expect(rig.entrance.bodyBytes).toBe(0);
});

test('a client that left and whose request fails leaves nothing behind', async () => {
  const leaving = new AbortController();
  const left = ask(customer, { signal: leaving.signal });
  const stream = await rig.agent.next();
  stream.content(20, 1, 'On');
  leaving.abort();
  await expect(left).rejects.toThrow();
  stream.fail('bad_request');
  expect(await rig.rows(customer.organization)).toMatchObject([{ cost: 0n }]);
  expect(rig.answers.bytes).toBe(0);
  expect(await answered(customer)).toMatchObject({ status: 200, replayed: null });
});

test('a repeat whose client leaves while it waits is forgotten, and the first goes on', async () => {
  const [first, stream] = [ask(customer), await rig.agent.next()];
  const leaving = new AbortController();
  const repeat = ask(customer, { signal: leaving.signal });
  await rig.until(() => rig.underWay.size === 2);
  leaving.abort();
  await expect(repeat).rejects.toThrow();
  await rig.until(() => rig.underWay.size === 1);
  stream.content(20, 3);
  stream.finish(20, 3);
  expect((await first).status).toBe(200);
});

test('MONEY 27: of an answer that another router has charged meanwhile nothing is shown', async () => {
  const response = ask(customer);
  const stream = await rig.agent.next();
  const salt = cacheSalt(PEPPER.newest.secret, customer.organization);
  const parsed = { api: 'chat', bodyDigest: 'other' } as const;
  const claim = claimOf('key-1', { ...customer, salt }, parsed);
  if (isRefusal(claim)) throw new Error(claim.message);
  const { organization } = customer;
  const held = rig.books.reservation(organization, 1_000n, { key: customer.key, claim });
  expect(await rig.books.ledger.reserve(held)).toHaveProperty('held');
  const usage = rig.books.usage(organization, held.request, { prompt: 10, completion: 1 });
  const cost = rig.books.cost({ prompt: 10, completion: 1 });
  await rig.books.ledger.settle({ ...usage, key: customer.key }, cost, { claim });
  stream.content(20, 3);
  stream.finish(20, 3);
  expect(await refused(response)).toMatchObject({ status: 400, code: 'already_answered' });
  expect((await rig.rows(organization)).map((row) => [row.outcome, row.error])).toEqual([
    ['voided', 'already_answered'],
    ['settled', null],
  ]);
  expect(await balance()).toBe(picoUsd(CREDIT - cost));
});

test('MONEY 27: a request that a suspension has cut was charged as far as it came, so its key is not charged again', async () => {
  const { organization } = customer;
  const response = ask(customer);
  const stream = await rig.agent.next();
  stream.content(20, 3);
  await rig.books.store.call(setStatus, { organization, status: 'suspended' });
  await rig.ledger.heartbeat();
  await stream.cancelled();
  stream.stop(20, 3);
  await expect(response).rejects.toThrow();
  await rig.ended();
  await rig.books.store.call(setStatus, { organization, status: 'active' });
  const again = await refused(ask(customer));
  expect(again).toMatchObject({ status: 400, code: 'already_answered' });
  // It had no answer, so it is not said to have had one.
  expect(again.message).not.toMatch(/answered|any more/);
  expect(await rig.rows(organization)).toMatchObject([{ cost: COST, status: 499 }]);
  expect(await balance()).toBe(CREDIT - COST);
});

test('the key of a streamed request is ignored, and the header says so', async () => {
  for (let time = 0; time < 2; time++) {
    const response = ask(customer, { fields: {} });
    const stream = await rig.agent.next();
    stream.content(20, 3);
    stream.finish(20, 3);
    expect((await response).headers.get('x-ignored-parameters')).toBe('idempotency-key');
    await (await response).text();
  }
  expect(await rig.rows(customer.organization)).toHaveLength(2);
});

test('a malformed key is refused, and on a stream ignored like any other', async () => {
  for (const key of ['', 'a\tb', 'k'.repeat(256)]) {
    const told = await refused(ask(customer, { key }));
    expect(told).toMatchObject({ status: 400, code: 'invalid_value', param: 'idempotency-key' });
  }
  const response = ask(customer, { key: 'k'.repeat(256), fields: {} });
  const stream = await rig.agent.next();
  stream.content(20, 3);
  stream.finish(20, 3);
  expect((await response).status).toBe(200);
  expect((await response).headers.get('x-ignored-parameters')).toBe('idempotency-key');
  await (await response).text();
});

test('neither a key, a body nor an answer reaches the store', async () => {
  await answered(customer, { key: 'my-own-key' });
  const [charged] = await rig.rows(customer.organization);
  const stored = await rig.books.sql(
    `SELECT * FROM idempotency_keys WHERE answer = '${charged?.request}'`,
  );
  const [row] = stored as Record<string, unknown>[];
  for (const digest of [row?.['digest'], row?.['request']])
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
});
