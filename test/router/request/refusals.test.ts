/** Which refused requests an organization finds again, and what of them. */
import { expect, test } from 'vitest';
import { revokeKey } from '../../../router/identity/keys.ts';
import { countRefusals, listRefusals } from '../../../router/usage/refusals/listings.ts';
import { MINUTE_MS } from '../../../shared/durations.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { setStatus } from '../ledger/set-organization.ts';
import { readStream } from '../../support/sse.ts';
import { bodyOf, type Customer, MODEL } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const RICH = 10n ** 15n;
const SECRET = 'the-words-of-a-prompt';

async function refusals({ organization }: Readonly<{ organization: OrganizationId }>) {
  await rig.ended();
  await rig.pass(1_000);
  await expect.poll(() => rig.refusals.size).toEqual({ cells: 0, details: 0 });
  const page = { organization, before: null, limit: 100 };
  const { rows } = await rig.books.store.call(listRefusals, page);
  return rows.toReversed();
}

async function send(customer: Customer, path: string, init: RequestInit): Promise<string> {
  // Ids of the same millisecond are in no order.
  rig.books.clock.advance(1);
  const response = await rig.post(customer, {}, init, path);
  await readStream(response);
  return response.headers.get('x-request-id') as string;
}

test('each refusal is found by the id that its client has, with model, field and message', async () => {
  const customer = await rig.customer(RICH);
  const post = (fields: object, path = '/v1/chat/completions') =>
    send(customer, path, {
      body: bodyOf({ messages: [{ role: 'user', content: SECRET }], ...fields }),
    });
  const ids = [
    await post({ model: 'lab/none' }),
    await post({ temperature: 9 }),
    await post({}, '/chat/completions'),
    await send(customer, '/v1/messages', { body: '{"model":' }),
    await send(customer, '/v1/models/lab/none', { method: 'GET', body: null }),
  ];
  const rows = await refusals(customer);
  expect(rows.map(({ request }) => request)).toEqual(ids);
  const chat = { key: customer.key, region: 'global', endpoint: '/v1/chat/completions' };
  expect(rows).toEqual([
    expect.objectContaining({ ...chat, code: 'model_not_found', status: 404n, model: 'lab/none' }),
    expect.objectContaining({
      ...chat,
      code: 'invalid_value',
      param: 'temperature',
      model: MODEL,
    }),
    expect.objectContaining({ code: 'not_found', endpoint: null, key: customer.key }),
    expect.objectContaining({ code: 'invalid_json', endpoint: '/v1/messages', model: null }),
    expect.objectContaining({ endpoint: '/v1/models/{id}', model: 'lab/none' }),
  ]);
  expect(rows[2]?.message).toContain('/v1');
  const stored = await rig.books.place.bytes();
  expect(stored).not.toContain(SECRET);
  expect(stored).not.toContain(customer.value);
});

test('a refusal for lack of credit names the model, and one that was admitted is in usage alone', async () => {
  const poor = await rig.customer(1n);
  expect(await rig.refused(poor)).toEqual([402, 'insufficient_credit']);
  expect(await refusals(poor)).toEqual([
    expect.objectContaining({ code: 'insufficient_credit', status: 402n, model: MODEL }),
  ]);
  const rich = await rig.customer(RICH);
  const { stream, seen } = await rig.begin(rich);
  stream.fail();
  await seen;
  expect(await rig.rows(rich.organization)).toHaveLength(1);
  expect(await refusals(rich)).toEqual([]);
});

test('a 401 belongs to the organization whose key it was, and to none if the key never existed', async () => {
  const customer = await rig.customer(RICH);
  const { organization, key } = customer;
  await rig.books.store.call(revokeKey, { organization, key, to: 'revoked' });
  expect(await rig.refused(customer)).toEqual([401, 'invalid_api_key']);
  const stranger = { ...customer, value: `${customer.value.slice(0, -7)}0000000` };
  expect(await rig.refused(stranger)).toEqual([401, 'invalid_api_key']);
  expect(await refusals(customer)).toEqual([
    expect.objectContaining({ code: 'invalid_api_key', status: 401n, key }),
  ]);
});

test('a suspended organization is refused with a code of its own, since its key is not at fault', async () => {
  const customer = await rig.customer(RICH);
  const { organization } = customer;
  await rig.books.store.call(setStatus, { organization, status: 'suspended' });
  expect(await rig.refused(customer)).toEqual([403, 'organization_suspended']);
  expect(await refusals(customer)).toEqual([
    expect.objectContaining({ status: 403n, code: 'organization_suspended' }),
  ]);
  const minutes = Math.floor(rig.books.clock.now() / MINUTE_MS);
  const sums = await rig.books.store.call(countRefusals, {
    organization,
    from: 0,
    until: minutes + 1,
    minutes: 1,
    groupBy: 'code',
  });
  expect(sums.map(({ group, count }) => [group, count])).toEqual([['organization_suspended', 1]]);
});
