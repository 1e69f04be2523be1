/** Mutations that move money happen once per Idempotency-Key, whatever messages were lost. */
import { fastify } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openGate } from '../../../router/control/access/gate.ts';
import type { Api } from '../../../router/control/api.ts';
import { idempotencyTask, KEPT_MS } from '../../../router/control/idempotency/sweep.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { fillPath } from '../../support/api-samples.ts';
import { operationsOf } from '../../support/api-schemas.ts';
import { CARDS, payAt, type PaymentsRig, startPaymentsRig } from './payments-rig.ts';
import { signIn } from './people.ts';
import { type Answer, PEPPER } from './rig.ts';

let pay: PaymentsRig;
/** Separate books for sample invoices, which bill no usage. */
let samples: PaymentsRig;
beforeAll(async () => {
  pay = await startPaymentsRig();
  samples = await startPaymentsRig();
});
afterEach(async () => {
  expect(await pay.differences()).toEqual([]);
});
afterAll(async () => {
  await pay[Symbol.asyncDispose]();
  await samples[Symbol.asyncDispose]();
});

const MONEY = [
  'POST /api/v1/organizations',
  'POST /api/v1/organizations/:organization/credit/adjustments',
  'POST /api/v1/organizations/:organization/invoices/:invoice/paid',
  'POST /api/v1/organizations/:organization/invoices/:invoice/void',
  'POST /api/v1/organizations/:organization/payment-method',
  'POST /api/v1/organizations/:organization/payments',
  'POST /api/v1/organizations/:organization/payments/:payment/refund',
];
const READS = new Set(['GET', 'HEAD']);

const keyed = (key: string) => ({ 'idempotency-key': key });
const pathOf = (organization: string) => `/api/v1/organizations/${organization}`;

let keys = 0;
const newKey = () => `key ${keys++}`;

function adjust(organization: string, body: object, headers = {}): Promise<Answer> {
  return pay.rig.ask('POST', `${pathOf(organization)}/credit/adjustments`, body, headers);
}

async function paidPayment(organization: string): Promise<string> {
  const begun = await pay.rig.ask('POST', `${pathOf(organization)}/payments`, { amount: '20' });
  await payAt(begun.body.checkout_url, CARDS.good);
  return `${pathOf(organization)}/payments/${begun.body.payment.id}`;
}

async function audited(organization: string, action: string): Promise<number> {
  const rows = await pay.rig.place.sql(
    `select id from audit where organization = '${organization}' and action = '${action}'`,
  );
  return rows.length;
}

async function openInvoice(organization: string): Promise<string> {
  const where = { organization, owner: organization, which: 'own' } as const;
  return await fillPath(samples.rig, `${pathOf(':organization')}/invoices/:invoice`, where);
}

describe('which routes those are', () => {
  test('is said by the routes themselves', () => {
    const marked = pay.rig.routes.filter(({ money }) => money);
    expect(marked.map(({ method, url }) => `${method} ${url}`).toSorted()).toEqual(MONEY);
  });

  test('and no other route changes transfers, payments, refunds or invoices', async () => {
    const { rig } = samples;
    const { body: document } = await rig.ask('GET', '/api/openapi.json');
    const examples = new Map(
      operationsOf(document).map(({ method, path, operation }) => [
        `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
        Object.values(operation.requestBody?.content ?? {})[0]?.example,
      ]),
    );
    const moved: string[] = [];
    let tried = 0;
    for (const { method, url } of rig.routes.filter((route) => !READS.has(route.method))) {
      const organization = await samples.customer();
      const path = await fillPath(rig, url, { organization, owner: organization, which: 'own' });
      const before = await books();
      const example = examples.get(`${method} ${url}`);
      // Invoices are issued after the day of the example, on which one would be paid.
      const body = example && { ...example, paid_on: undefined };
      const answer = await rig.ask(method, path, body);
      if (answer.status < 400) tried += 1;
      if ((await books()) !== before) moved.push(`${method} ${url}`);
    }
    expect(tried).toBeGreaterThan(25);
    // None of the sample payments was paid, so none can be refunded.
    expect(moved.toSorted()).toEqual(MONEY.filter((route) => !route.endsWith('/refund')));
  });

  test('and a router does not start with one that takes no key', () => {
    const api = fastify() as unknown as Api;
    openGate(api, { store: pay.rig.store, pepper: PEPPER, clock, secure: false }, []);
    const config = { access: 'operator', action: 'key.create', money: true } as const;
    expect(() => api.post('/x', { config }, async () => null)).toThrow(
      'POST /x moves money, and takes no Idempotency-Key',
    );
  });
});

async function books(): Promise<string> {
  const rows = await samples.rig.place.sql(
    `select (select count(*) from transfers) as transfers, (select count(*) from payments) as payments,
       (select count(*) from refunds) as refunds,
       (select count(*) from invoices where status = 'open') as invoices`,
  );
  return JSON.stringify(rows, (_name, part) => (typeof part === 'bigint' ? `${part}` : part));
}

describe('the same request under the same key', () => {
  test('adjusts the credit once, and is answered as at first', async () => {
    const organization = await pay.customer();
    const headers = keyed(newKey());
    const wanted = { amount: '7.000000000001', reason: 'goodwill' };
    const first = await adjust(organization, wanted, headers);
    await pay.spend(organization, '1');
    const again = await adjust(organization, wanted, headers);
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(again.body.balance).toBe('12.000000000001');
    expect(await pay.balance(organization)).toBe('11.000000000001');
    expect(await audited(organization, 'credit.adjust')).toBe(2);
  });

  test('asked for many times at once, does so, too', async () => {
    const organization = await pay.customer();
    const headers = keyed(newKey());
    const wanted = { amount: '3', reason: 'at once' };
    const asked = await Promise.all(
      Array.from({ length: 10 }, () => adjust(organization, wanted, headers)),
    );
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(asked.map(({ body }) => body.transfer.id)).size).toBe(1);
    expect(await pay.balance(organization)).toBe('8');
  });

  test('refunds once', async () => {
    const organization = await pay.customer();
    const path = `${await paidPayment(organization)}/refund`;
    const headers = keyed(newKey());
    const wanted = { amount: '5', reason: 'a fault' };
    const first = await pay.rig.ask('POST', path, wanted, headers);
    await pay.work();
    const again = await pay.rig.ask('POST', path, wanted, headers);
    expect(again.body).toEqual(first.body);
    expect(await pay.balance(organization)).toBe('20');
    // Without a key or with another key, it is another refund.
    await pay.rig.ask('POST', path, wanted, keyed(newKey()));
    expect(await pay.balance(organization)).toBe('15');
    await pay.work();
  });

  test('opens one organization, with one welcome credit', async () => {
    const headers = keyed(newKey());
    const create = () => pay.rig.ask('POST', '/api/v1/organizations', { name: 'One' }, headers);
    const made = await Promise.all([create(), create(), create()]);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    expect(await pay.balance(made[0]?.body.id)).toBe('5');
  });

  test('begins one checkout, and one for a card', async () => {
    const organization = await pay.customer();
    for (const path of ['payments', 'payment-method']) {
      const headers = keyed(newKey());
      const body = path === 'payments' ? { amount: '20' } : undefined;
      const begin = () => pay.rig.ask('POST', `${pathOf(organization)}/${path}`, body, headers);
      const [first, again] = [await begin(), await begin()];
      expect(again.body).toEqual(first.body);
    }
  });

  test.each([
    ['paid', { reference: 'wire 7' }],
    ['void', { reason: 'wrong' }],
  ])('has an invoice %s once', async (end, body) => {
    const organization = await samples.customer();
    const path = `${await openInvoice(organization)}/${end}`;
    const headers = keyed(newKey());
    const first = await samples.rig.ask('POST', path, body, headers);
    expect(first.status).toBe(200);
    const again = await samples.rig.ask('POST', path, body, headers);
    expect(again.body).toEqual(first.body);
    expect(
      (await samples.rig.ask('POST', path, { ...body, ...body }, keyed(newKey()))).status,
    ).toBe(end === 'void' ? 409 : 200);
    expect(await samples.balance(organization)).toBe(end === 'paid' ? '30' : '5');
  });
});

describe('a key', () => {
  test('stands for one request: another under it is refused', async () => {
    const organization = await pay.customer();
    const headers = keyed(newKey());
    await adjust(organization, { amount: '1', reason: 'one' }, headers);
    const other = await adjust(organization, { amount: '2', reason: 'one' }, headers);
    expect(other.status).toBe(409);
    expect(other.body.error).toMatchObject({ param: 'idempotency-key' });
    const path = `${await paidPayment(organization)}/refund`;
    expect((await pay.rig.ask('POST', path, { reason: 'one' }, headers)).status).toBe(409);
    expect(await pay.balance(organization)).toBe('26');
  });

  test('is whose it is: of another organization, or of another person, it is another', async () => {
    const [one, two] = [await pay.customer(), await pay.customer()];
    const headers = keyed(newKey());
    await adjust(one, { amount: '1', reason: 'one' }, headers);
    expect((await adjust(two, { amount: '2', reason: 'two' }, headers)).status).toBe(201);
    const operator = await signIn(pay.rig, { operator: true });
    const theirs = await operator.ask(
      'POST',
      `${pathOf(one)}/credit/adjustments`,
      { amount: '4', reason: 'theirs' },
      headers,
    );
    expect(theirs.status).toBe(201);
    expect(await pay.balance(one)).toBe('10');
    expect(await pay.balance(two)).toBe('7');
  });

  test('of a request that was refused may be used again', async () => {
    const organization = await pay.customer();
    const headers = keyed(newKey());
    const wanted = { amount: '-7', reason: 'taken' };
    expect((await adjust(organization, wanted, headers)).status).toBe(409);
    await adjust(organization, { amount: '4', reason: 'more' });
    expect((await adjust(organization, wanted, headers)).status).toBe(201);
    expect(await pay.balance(organization)).toBe('2');
  });

  test.each(['', 'x'.repeat(256)])('that is empty or too long is refused: %j', async (key) => {
    const organization = await pay.customer();
    const refused = await adjust(organization, { amount: '1', reason: 'one' }, keyed(key));
    expect(refused.status).toBe(400);
    expect(refused.body.error.param).toBe('idempotency-key');
  });

  test('is kept for a day and more, and forgotten then', async () => {
    const organization = await pay.customer();
    const headers = keyed(newKey());
    const wanted = { amount: '1', reason: 'one' };
    const task = idempotencyTask({ store: pay.rig.store, clock: pay.clock });
    await adjust(organization, wanted, headers);
    pay.clock.advance(KEPT_MS - 1);
    await task.run();
    await adjust(organization, wanted, headers);
    expect(await pay.balance(organization)).toBe('6');
    pay.clock.advance(1);
    await task.run();
    expect(await pay.rig.place.sql('select digest from idempotency_keys')).toEqual([]);
    await adjust(organization, wanted, headers);
    expect(await pay.balance(organization)).toBe('7');
  });
});
