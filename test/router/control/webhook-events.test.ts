/** Each cause of an event is recorded once, in its own transaction. */
import { afterEach, expect, test } from 'vitest';
import { noteBudget, setBudget } from '../../../router/control/budgets/procedures.ts';
import { closeMonth } from '../../../router/control/invoices/monthly.ts';
import { noteExhausted } from '../../../router/control/notices/exhausted.ts';
import { lowBalanceTask } from '../../../router/control/notices/low-balance.ts';
import { monthOf } from '../../../router/store/month.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import { PICO_PER_USD, picoUsd } from '../../../shared/money.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { CARDS, lowCustomer, payAt } from './payments-rig.ts';
import { endpoint, pay, receiver, shareWebhooks } from './shared-webhooks-rig.ts';

shareWebhooks();

afterEach(async () => {
  expect(await pay.differences()).toEqual([]);
});

/** The events that reached the customer since the last call. */
async function told(): Promise<{ type: string; data: Record<string, string> }[]> {
  await pay.work();
  return receiver.received.splice(0).map(({ event }) => event);
}

const routers = [1, 2, 3];

async function lookAtBalances(): Promise<void> {
  const parts = { store: pay.rig.store, clock: pay.clock };
  await Promise.all(routers.map(() => lowBalanceTask(parts).run()));
  pay.clock.advance(1_000);
}

test('balance.low: once for each fall below the threshold, whichever router sees it', async () => {
  const organization = await pay.customer();
  await endpoint(organization);
  const path = `/api/v1/organizations/${organization}`;
  await pay.rig.ask('PATCH', path, { low_balance_threshold: '3' });
  await lookAtBalances();
  expect(await told()).toEqual([]);
  await pay.spend(organization, '2.5');
  for (const _ of routers) await lookAtBalances();
  expect(await told()).toMatchObject([
    { type: 'balance.low', data: { organization, balance: '2.5', threshold: '3' } },
  ]);
  await pay.spend(organization, '-1');
  await lookAtBalances();
  await pay.spend(organization, '1');
  await lookAtBalances();
  expect(await told()).toMatchObject([{ type: 'balance.low' }]);
});

test('budget.reached: with the threshold, the figures and the month, once', async () => {
  const organization = await pay.customer();
  await endpoint(organization);
  const { store } = pay.rig;
  const amount = picoUsd(10n * PICO_PER_USD);
  await store.call(setBudget, { organization: organization as never, amount });
  const budget = { organization: organization as never, amount, noted: 0 };
  const spent = 8n * PICO_PER_USD;
  const note = { budget, month: 2026n * 12n + 10n, percent: 80, spent, now: pay.clock.now() };
  await Promise.all(routers.map(() => store.call(noteBudget, note)));
  expect(await told()).toMatchObject([
    {
      type: 'budget.reached',
      data: { organization, percent: 80, spent: '8', budget: '10', month: '2026-11' },
    },
  ]);
});

test('balance.exhausted: once when a request is refused, and again only after there was credit', async () => {
  const organization = await pay.customer();
  await endpoint(organization);
  await pay.spend(organization, '4.999');
  const refused = async () => {
    await Promise.all(routers.map(() => pay.exhausted(organization)));
    const asked = { provider: null, organization: organization as never, now: pay.clock.now() };
    await Promise.all(routers.map(() => pay.rig.store.call(noteExhausted, asked)));
    pay.clock.advance(6_000);
  };
  for (const _ of routers) await refused();
  expect(await told()).toMatchObject([
    { type: 'balance.exhausted', data: { organization, balance: '0.001', held: '0' } },
  ]);
  // Less credit is no news.
  await pay.spend(organization, '0.0005');
  await refused();
  expect(await told()).toEqual([]);
  await pay.spend(organization, '-2');
  await pay.spend(organization, '2.0005');
  await refused();
  expect(await told()).toMatchObject([{ type: 'balance.exhausted', data: { balance: '0' } }]);
});

test('balance.exhausted: an endpoint that is created later hears of it the next time', async () => {
  const organization = await pay.customer();
  await pay.spend(organization, '5');
  await pay.exhausted(organization);
  await endpoint(organization, { events: ['balance.exhausted'] });
  pay.clock.advance(5_000);
  await pay.exhausted(organization);
  expect(await told()).toEqual([]);
  await pay.spend(organization, '-1');
  await pay.spend(organization, '1');
  pay.clock.advance(5_000);
  await pay.exhausted(organization);
  expect(await told()).toMatchObject([{ type: 'balance.exhausted' }]);
});

test('balance.exhausted: a greater credit limit is credit, too', async () => {
  const organization = await pay.customer();
  await endpoint(organization);
  await pay.spend(organization, '5');
  await pay.exhausted(organization);
  const terms = { billing: { type: 'invoiced', credit_limit: '10' } };
  await pay.rig.ask('PATCH', `/api/v1/organizations/${organization}/terms`, terms);
  pay.clock.advance(5_000);
  await pay.exhausted(organization);
  expect(await told()).toHaveLength(2);
});

test('payment.succeeded: once for a payment, however often it is reported', async () => {
  const organization = await pay.customer();
  await endpoint(organization);
  const path = `/api/v1/organizations/${organization}/payments`;
  const key = { 'idempotency-key': 'top-up' };
  const begun = await pay.rig.ask('POST', path, { amount: '25' }, key);
  await payAt(begun.body.checkout_url, CARDS.good);
  await pay.hours(2);
  const payment = begun.body.payment.id;
  expect(await told()).toMatchObject([
    {
      type: 'payment.succeeded',
      data: { organization, payment, purpose: 'top-up', amount: '25' },
    },
  ]);
  const declined = await pay.rig.ask('POST', path, { amount: '25' });
  await payAt(declined.body.checkout_url, CARDS.declined);
  await pay.hours(2);
  expect((await told()).map(({ type }) => type)).toEqual(['payment.failed']);
});

test('payment.failed: once for each card that was declined, and not for a checkout that nobody paid', async () => {
  const organization = await pay.customer();
  await endpoint(organization);
  const path = `/api/v1/organizations/${organization}/payments`;
  const begun = await pay.rig.ask('POST', path, { amount: '25' });
  await payAt(begun.body.checkout_url, CARDS.declined);
  const payment = begun.body.payment.id;
  const event = {
    type: 'payment.failed',
    data: { organization, payment, purpose: 'top-up', amount: '25' },
  };
  const [first, ...others] = await told();
  expect(first).toMatchObject(event);
  expect(first?.data['reason']).toBeTruthy();
  expect(others).toEqual([]);
  await payAt(begun.body.checkout_url, CARDS.good);
  await pay.hours(2);
  expect(await told()).toMatchObject([{ type: 'payment.succeeded', data: { payment } }]);
  await pay.rig.ask('POST', path, { amount: '30' });
  await pay.hours(48);
  expect(await told()).toEqual([]);
});

test('payment.failed: an automatic payment says that it is one, whichever router looks', async () => {
  const organization = await lowCustomer(pay);
  await pay.keep(organization, CARDS.failsLater);
  await endpoint(organization, { events: ['payment.failed'] });
  await Promise.all(routers.map(() => pay.exhausted(organization)));
  const events = await told();
  expect(events).toMatchObject([
    { type: 'payment.failed', data: { organization, purpose: 'recharge', amount: '10' } },
  ]);
  expect(events[0]?.data['reason']).toBeTruthy();
});

test('invoice.issued: with the number and what is due, once', async () => {
  const organization = await pay.customer();
  await endpoint(organization);
  const terms = { billing: { type: 'invoiced', credit_limit: '100' } };
  const path = `/api/v1/organizations/${organization}`;
  expect((await pay.rig.ask('PATCH', `${path}/terms`, terms)).status).toBe(200);
  await pay.spend(organization, '17.5');
  const month = monthOf(pay.clock.now());
  pay.clock.advance(32 * DAY_MS);
  const parts = { store: pay.rig.store, clock: pay.clock, random, seller: null };
  await Promise.all(routers.map(() => closeMonth(parts, organization as never, month)));
  const [invoice] = (await pay.rig.ask('GET', `${path}/invoices`)).body.data;
  const events = (await told()).filter(({ type }) => type === 'invoice.issued');
  expect(events).toMatchObject([
    {
      data: {
        organization,
        invoice: invoice.id,
        number: invoice.number,
        amount_due: invoice.amount_due,
        due: invoice.due,
        month: invoice.period.start.slice(0, 7),
      },
    },
  ]);
  expect(events[0]?.data['amount_due']).not.toBe('0');
});

test('payment.succeeded: an automatic payment says that it is one', async () => {
  const organization = await lowCustomer(pay);
  await endpoint(organization, { events: ['payment.succeeded'] });
  await pay.exhausted(organization);
  expect(await told()).toMatchObject([
    { type: 'payment.succeeded', data: { purpose: 'recharge', amount: '10' } },
  ]);
});

test('key.revoked: once when an active key is revoked or deleted, however many do it at once', async () => {
  const organization = await pay.customer();
  await endpoint(organization);
  const keys = `/api/v1/organizations/${organization}/keys`;
  const make = async (name: string) => (await pay.rig.ask('POST', keys, { name })).body.id;
  const [revoked, deleted] = [await make('revoked'), await make('deleted')];
  await Promise.all(routers.map(() => pay.rig.ask('POST', `${keys}/${revoked}/revoke`)));
  await Promise.all(routers.map(() => pay.rig.ask('DELETE', `${keys}/${deleted}`)));
  await pay.rig.ask('DELETE', `${keys}/${revoked}`);
  const events = await told();
  expect(
    events
      .map(({ data }) => data)
      .toSorted((a, b) => (a['name'] ?? '').localeCompare(b['name'] ?? '')),
  ).toEqual([
    { organization, key: deleted, name: 'deleted', state: 'deleted' },
    { organization, key: revoked, name: 'revoked', state: 'revoked' },
  ]);
  expect((await pay.rig.ask('POST', `${keys}/key_000000000000/revoke`)).status).toBe(404);
  expect(await told()).toEqual([]);
});
