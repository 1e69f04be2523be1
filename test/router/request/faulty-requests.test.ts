/** Requests that are refused for their content have the limits of requests a minute, too. */
import { expect, test } from 'vitest';
import { changeKey } from '../../../router/identity/keys.ts';
import {
  COUNTED_MAX,
  FaultyRequests,
  type Sender,
} from '../../../router/request/faulty-requests.ts';
import { UNLIMITED } from '../../../router/ledger/rules/limits.ts';
import type { KeyId, OrganizationId } from '../../../shared/ids.ts';
import { Refusal } from '../../../shared/refusals.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { readStream } from '../../support/sse.ts';
import { setLimits } from '../ledger/set-organization.ts';
import { type Customer, refusalOf } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const RICH = 10n ** 12n;
const UNKNOWN = { model: 'lab/none' };

async function answered(customer: Customer): Promise<void> {
  const { stream, seen } = await rig.begin(customer);
  stream.content(10, 1);
  stream.finish(10, 1);
  expect((await seen).done).toBe(true);
}

test('requests for unknown models count against the limit of a minute, and beyond it are not read', async () => {
  const customer = await rig.customer(RICH);
  const other = await rig.customer(RICH);
  const { organization } = customer;
  await rig.books.store.call(setLimits, { organization, limits: { requestsPerMinute: 3 } });
  expect(await rig.refused(customer, UNKNOWN)).toEqual([404, 'model_not_found']);
  expect(await rig.refused(customer, { temperature: 9 })).toEqual([400, 'invalid_value']);
  await answered(customer);
  expect(await rig.refused(customer, UNKNOWN)).toEqual([404, 'model_not_found']);

  expect(await rig.refused(customer, UNKNOWN)).toEqual([404, 'model_not_found']);
  const response = await rig.post(customer, UNKNOWN);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  const body = await readStream(response);
  expect(refusalOf(body)).toEqual([429, 'rate_limited']);
  expect(JSON.stringify(body)).toContain('limited to 3 requests per minute');
  expect(await rig.refused(customer)).toEqual([429, 'rate_limited']);
  expect(await rig.refused(other, UNKNOWN)).toEqual([404, 'model_not_found']);

  await rig.pass(60_000);
  expect(await rig.refused(customer, UNKNOWN)).toEqual([404, 'model_not_found']);
  await answered(customer);
});

test('the limit of a key stops this key alone', async () => {
  const customer = await rig.customer(RICH);
  const { organization, key } = customer;
  const limits = { requestsPerMinute: 1, tokensPerMinute: null };
  await rig.books.store.call(changeKey, { organization, key, limits });
  const second = await rig.keyOf(organization);
  expect(await rig.refused(customer, UNKNOWN)).toEqual([404, 'model_not_found']);
  expect(await rig.refused(customer, UNKNOWN)).toEqual([404, 'model_not_found']);
  expect(await rig.refused(customer, UNKNOWN)).toEqual([429, 'rate_limited']);
  expect(await rig.refused(second, UNKNOWN)).toEqual([404, 'model_not_found']);
});

test('faults beyond the limit of the organization stop the keys that sent some, and no other', async () => {
  const customer = await rig.customer(RICH);
  const { organization } = customer;
  await rig.books.store.call(setLimits, { organization, limits: { requestsPerMinute: 2 } });
  const [second, good] = [await rig.keyOf(organization), await rig.keyOf(organization)];
  for (const key of [customer, customer, second]) {
    expect(await rig.refused(key, UNKNOWN)).toEqual([404, 'model_not_found']);
  }
  expect(await rig.refused(customer)).toEqual([429, 'rate_limited']);
  expect(await rig.refused(second)).toEqual([429, 'rate_limited']);
  await answered(good);
});

test('an Idempotency-Key that is refused counts as a fault', async () => {
  const customer = await rig.customer(RICH);
  const { organization, key } = customer;
  const limits = { requestsPerMinute: 1, tokensPerMinute: null };
  await rig.books.store.call(changeKey, { organization, key, limits });
  const ask = async () => {
    const headers = {
      authorization: `Bearer ${customer.value}`,
      'content-type': 'application/json',
      'idempotency-key': 'x'.repeat(300),
      connection: 'close',
    };
    return refusalOf(await readStream(await rig.post(customer, { stream: false }, { headers })));
  };
  expect(await ask()).toEqual([400, 'invalid_value']);
  expect(await ask()).toEqual([400, 'invalid_value']);
  expect(await ask()).toEqual([429, 'rate_limited']);
});

test('a refusal of the ledger for what was asked counts as a fault', async () => {
  const customer = await rig.customer(RICH);
  const { organization } = customer;
  const limits = { requestsPerMinute: 1, tokensPerMinute: 50 };
  await rig.books.store.call(setLimits, { organization, limits });
  const long = { messages: [{ role: 'user', content: 'x'.repeat(3_000) }] };
  for (let nth = 0; nth < 2; nth++) {
    expect(await rig.refused(customer, long)).toEqual([400, 'token_limit_exceeded']);
  }
  expect(await rig.refused(customer, long)).toEqual([429, 'rate_limited']);
});

test('what is counted is bounded: the least recent is forgotten', () => {
  const faulty = new FaultyRequests(new ManualClock());
  const senderOf = (name: string): Sender => ({
    organization: `org_${name}` as OrganizationId,
    key: `key_${name}` as KeyId,
    limits: { ...UNLIMITED, organization: { ...UNLIMITED.organization, requestsPerMinute: 0 } },
  });
  const fault = new Refusal('model_not_found');
  // Each is counted by key and by organization.
  for (let nth = 0; nth < COUNTED_MAX / 2; nth++) faulty.noted(senderOf(`${nth}`), fault, false);
  expect(faulty.find(senderOf('0'))).toMatchObject({ code: 'rate_limited' });
  faulty.noted(senderOf('more'), fault, false);
  expect(faulty.find(senderOf('0'))).toBeNull();
  expect(faulty.find(senderOf('1'))).toMatchObject({ code: 'rate_limited' });
});

test('a body that was not read because its client had left does not count', () => {
  const faulty = new FaultyRequests(new ManualClock());
  const sender: Sender = {
    organization: 'org_a' as OrganizationId,
    key: 'key_a' as KeyId,
    limits: { ...UNLIMITED, key: { ...UNLIMITED.key, requestsPerMinute: 0 } },
  };
  faulty.noted(sender, new Refusal('bad_request'), true);
  expect(faulty.find(sender)).toBeNull();
  // The body was read and is at fault, although the client has left.
  faulty.noted(sender, new Refusal('invalid_json'), true);
  expect(faulty.find(sender)).not.toBeNull();
});

test('a refusal that is not for the content does not count', () => {
  const faulty = new FaultyRequests(new ManualClock());
  const sender: Sender = {
    organization: 'org_a' as OrganizationId,
    key: 'key_a' as KeyId,
    limits: { ...UNLIMITED, key: { ...UNLIMITED.key, requestsPerMinute: 0 } },
  };
  for (const code of ['rate_limited', 'overloaded', 'shutting_down'] as const) {
    faulty.noted(sender, new Refusal(code), false);
  }
  expect(faulty.find(sender)).toBeNull();
});
