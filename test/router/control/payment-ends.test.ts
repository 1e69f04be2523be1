/**
 * Every payment, recharge and refund reaches an end, whatever happens: paid, refunded or refused,
 * with an audit record.
 */
import { describe, expect, test } from 'vitest';
import { ingestEvent } from '../../../router/control/payments/ingest-event.ts';
import type { PaymentAlarm, ProviderEvent } from '../../../router/control/payments/provider.ts';
import { refundOnce, refundTask } from '../../../router/control/payments/refunds.ts';
import { isWatched, PAYMENT_NEXT, REFUND_NEXT } from '../../../router/control/payments/states.ts';
import { strandedTask } from '../../../router/control/payments/stranded.ts';
import { Recharger } from '../../../router/control/recharge/recharger.ts';
import { mintId, type PaymentId } from '../../../shared/ids.ts';
import { PICO_PER_USD, picoUsd } from '../../../shared/money.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { CARDS, lowCustomer, markOf, payAt, RECHARGE } from './payments-rig.ts';
import { log } from './rig.ts';
import { pay, sharePayments } from './shared-payments-rig.ts';

sharePayments();

const pathOf = (organization: string) => `/api/v1/organizations/${organization}`;
const low = () => lowCustomer(pay);

async function start(organization: string): Promise<void> {
  pay.clock.advance(5_000);
  await pay.exhausted(organization);
  await pay.work();
}

async function recharge(organization: string) {
  return (await pay.rig.ask('GET', `${pathOf(organization)}/recharge`)).body;
}

type Shown = Record<'id' | 'state' | 'reason' | 'purpose' | 'refunded', string>;

/** Deleted organizations have payments as well, because operators still read their books. */
async function payments(organization: string, purpose: string): Promise<Shown[]> {
  const { body } = await pay.rig.ask('GET', `${pathOf(organization)}/payments`);
  return body.data.filter((one: Shown) => one.purpose === purpose);
}

async function topUp(organization: string): Promise<{ id: PaymentId; url: string }> {
  const begun = await pay.rig.ask('POST', `${pathOf(organization)}/payments`, { amount: '20' });
  return { id: begun.body.payment.id, url: begun.body.checkout_url };
}

async function remove(organization: string): Promise<void> {
  const gone = await pay.rig.ask('DELETE', pathOf(organization), { name: 'Customer' });
  expect(gone.status).toBeLessThan(300);
}

async function actions(target: string): Promise<string[]> {
  const rows = await pay.rig.place.sql(
    `select action from audit where target = '${target}' order by action`,
  );
  return rows.map((row) => (row as { action: string }).action);
}

async function asked(payment: string): Promise<number> {
  return pay.provider.charged.filter((one) => one.payment === payment).length;
}

describe('a deleted organization', () => {
  test('that pays a checkout is paid back, and it is audited', async () => {
    const organization = await pay.customer();
    const { id, url } = await topUp(organization);
    await remove(organization);
    await payAt(url, CARDS.good);
    await pay.work();
    const [made] = await payments(organization, 'top-up');
    expect(made).toMatchObject({ state: 'succeeded', paid: '20', refunded: '20' });
    const refunds = await pay.rig.place.sql(
      `select state, amount from refunds where payment = '${id}'`,
    );
    expect(refunds).toMatchObject([{ state: 'succeeded' }]);
    expect(await pay.balance(organization)).toBe('5');
    const paidOut = await pay.rig.place.sql(
      `select r.amount from sandbox_refunds r join payments p on p.reference = r.reference
       where p.id = '${id}'`,
    );
    expect(paidOut.map((row) => BigInt((row as { amount: bigint | string }).amount))).toEqual([
      20n * PICO_PER_USD,
    ]);
    expect(await actions(id)).toEqual(['payment.begin', 'payment.refunded', 'payment.succeed']);
  });

  test('is paid back once, however often its payment is told, and an alarm is raised', async () => {
    const organization = await pay.customer();
    const { id } = await topUp(organization);
    await remove(organization);
    const alarms: PaymentAlarm[] = [];
    const parts = {
      store: pay.rig.store,
      clock: pay.clock,
      log,
      seller: null,
      onAlarm: (alarm: PaymentAlarm) => alarms.push(alarm),
    };
    const event: ProviderEvent = {
      kind: 'paid',
      event: `paid:late:${id}`,
      payment: id,
      reference: `sandbox_late_${id}`,
      amount: picoUsd(20n * PICO_PER_USD),
      customer: null,
      method: null,
    };
    await Promise.all(Array.from({ length: 5 }, () => ingestEvent(parts, 'sandbox', event)));
    expect(await pay.balance(organization)).toBe('5');
    expect(alarms).toEqual(['event']);
    // The sandbox does not know this charge and refuses the refund. That raises an alarm, and the
    // refund ends.
    await pay.work();
    const [refund] = await pay.rig.place.sql(`select state from refunds where payment = '${id}'`);
    expect(refund).toMatchObject({ state: 'failed' });
  });

  test('that gives a card has none kept', async () => {
    const organization = await pay.customer();
    const begun = await pay.rig.ask('POST', `${pathOf(organization)}/payment-method`);
    await remove(organization);
    await payAt(begun.body.checkout_url, CARDS.good);
    await pay.hours(1);
    expect(await payments(organization, 'setup')).toMatchObject([{ state: 'expired' }]);
    const [kept] = await pay.rig.place.sql(
      `select method from payment_customers where organization = '${organization}'`,
    );
    expect(kept).toMatchObject({ method: null });
  });
});

describe('a recharge that began while the provider was away', () => {
  const away = async (organization: string) => {
    pay.provider.isAway = true;
    await start(organization);
    const [made] = await payments(organization, 'recharge');
    expect(made).toMatchObject({ state: 'open' });
    return (made as Shown).id;
  };

  test.each([
    [
      'switched off',
      (organization: string) =>
        pay.rig.ask('PUT', `${pathOf(organization)}/recharge`, { ...RECHARGE, enabled: false }),
      'switched off',
    ],
    [
      'left without its card',
      (organization: string) => pay.rig.ask('DELETE', `${pathOf(organization)}/payment-method`),
      'switched off',
    ],
    [
      'left without its card by the provider',
      (organization: string) =>
        pay.rig.place.sql(
          `update payment_customers set method = null where organization = '${organization}'`,
        ),
      'removed',
    ],
    [
      'set to another card',
      (organization: string) => pay.keep(organization, CARDS.noRefunds),
      'another payment method',
    ],
    [
      'set to another amount',
      (organization: string) =>
        pay.rig.ask('PUT', `${pathOf(organization)}/recharge`, { ...RECHARGE, amount: '30' }),
      'another amount',
    ],
    ['not needed any more', (organization: string) => pay.spend(organization, '-50'), 'not low'],
  ])('and was %s meanwhile is not charged when it is back', async (_what, change, reason) => {
    const organization = await low();
    const id = await away(organization);
    await change(organization);
    await pay.hours(3);
    expect(await payments(organization, 'recharge')).toMatchObject([{ state: 'open' }]);
    const before = await asked(id);
    pay.provider.isAway = false;
    await pay.hours(2);
    expect(await asked(id)).toBe(before);
    const [ended] = (await payments(organization, 'recharge')).filter((one) => one.id === id);
    expect(ended).toMatchObject({ state: 'failed', reason: expect.stringContaining(reason) });
    expect(
      await pay.rig.place.sql(`select * from sandbox_charges where payment = '${id}'`),
    ).toEqual([]);
    expect(await actions(id)).toEqual(['recharge.start', 'recharge.withdraw']);
    const stands = await recharge(organization);
    expect(stands).toMatchObject({ failures: 0 });
    expect(stands.payment).not.toBe(id);
  });

  test('and is wanted still is charged once', async () => {
    const organization = await low();
    const id = await away(organization);
    await pay.hours(30);
    expect(await recharge(organization)).toMatchObject({ state: 'paying', payment: id });
    pay.provider.isAway = false;
    await pay.hours(2);
    expect(await payments(organization, 'recharge')).toMatchObject([{ id, state: 'succeeded' }]);
    expect(await pay.balance(organization)).toBe('11');
  });

  test('and may have been charged before it was switched off is credited, and not charged again', async () => {
    const organization = await low();
    pay.provider.losesAnswers = 1;
    await start(organization);
    pay.provider.isAway = true;
    const off = { ...RECHARGE, enabled: false };
    await pay.rig.ask('PUT', `${pathOf(organization)}/recharge`, off);
    await pay.hours(5);
    expect(await payments(organization, 'recharge')).toMatchObject([{ state: 'open' }]);
    pay.provider.isAway = false;
    await pay.hours(2);
    expect(await payments(organization, 'recharge')).toMatchObject([{ state: 'succeeded' }]);
    expect(await pay.balance(organization)).toBe('11');
  });

  test('is given up after a month without an answer, with an alarm and a letter', async () => {
    const organization = await low();
    const id = await away(organization);
    await pay.hours(24 * 2);
    expect(await recharge(organization)).toMatchObject({ state: 'paying' });
    // A clock that jumps this far made no requests meanwhile. The number of requests counts, too.
    pay.clock.advance(28 * 24 * 60 * 60 * 1000);
    await pay.work();
    await pay.hours(2);
    pay.provider.isAway = false;
    const [made] = (await payments(organization, 'recharge')).filter((one) => one.id === id);
    expect(made).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('never reported'),
    });
    expect(await pay.letters(organization)).toContain('recharge-failed');
  });
});

describe('a change of the payment provider', () => {
  const strand = async (hours: number, provider: string | null = 'stripe') => {
    pay.clock.advance(hours * 60 * 60 * 1000);
    const alarms: PaymentAlarm[] = [];
    const onAlarm = (alarm: PaymentAlarm) => alarms.push(alarm);
    const parts = { store: pay.rig.store, clock: pay.clock, log, seller: null, onAlarm };
    await strandedTask(parts, provider).run();
    return alarms;
  };

  test.each(['stripe', null])(
    'to %s ends a recharge that is under way, and its customer is told',
    async (provider) => {
      const organization = await low();
      pay.provider.isAway = true;
      await start(organization);
      const [made] = await payments(organization, 'recharge');
      expect(await strand(2, provider)).toEqual([]);
      expect(await strand(23, provider)).not.toEqual([]);
      pay.provider.isAway = false;
      expect(await payments(organization, 'recharge')).toMatchObject([
        { state: 'failed', reason: expect.stringContaining('sandbox') },
      ]);
      expect((await recharge(organization)).state).not.toBe('paying');
      expect(await pay.letters(organization)).toContain('recharge-failed');
      expect(await actions(made?.id ?? '')).toEqual(['payment.fail', 'recharge.start']);
    },
  );

  test('ends one that nobody was asked to charge after an hour', async () => {
    const organization = await low();
    const { store } = pay.rig;
    const { clock, provider } = pay;
    const parts = { store, clock, random, log, provider, onStarted: () => {} };
    // No job asks for the charge, although an hour passes.
    pay.background.isPaused = true;
    await new Recharger(parts).start(organization as never);
    await strand(1);
    pay.background.isPaused = false;
    expect(await payments(organization, 'recharge')).toMatchObject([{ state: 'failed' }]);
  });

  test('ends a checkout that is open, which is credited all the same should its money come', async () => {
    const organization = await pay.customer();
    const { url } = await topUp(organization);
    await strand(23);
    expect(await payments(organization, 'top-up')).toMatchObject([{ state: 'open' }]);
    await payAt(url, CARDS.good);
    expect(await payments(organization, 'top-up')).toMatchObject([{ state: 'succeeded' }]);
    const { id } = await topUp(organization);
    await strand(25);
    const [ended] = (await payments(organization, 'top-up')).filter((one) => one.id === id);
    expect(ended).toMatchObject({ state: 'expired' });
  });

  test('brings back a refund that nobody was asked for, and waits a month for one that may be paid out', async () => {
    const organization = await pay.customer();
    const { id, url } = await topUp(organization);
    await payAt(url, CARDS.good);
    const path = `${pathOf(organization)}/payments/${id}/refund`;
    pay.provider.isAway = true;
    await pay.rig.ask('POST', path, { amount: '5', reason: 'asked for' });
    await pay.work();
    // No job asks for the second one, although a day passes.
    pay.background.isPaused = true;
    await pay.rig.ask('POST', path, { amount: '6', reason: 'never asked for' });
    // The state that a router of an earlier version would have left.
    await pay.rig.place.sql(`update refunds set look_at = null where reason = 'asked for'`);
    await strand(25);
    expect(await pay.balance(organization)).toBe('20');
    pay.background.isPaused = false;
    const alarms = await strand(24 * 30);
    pay.provider.isAway = false;
    expect(await pay.balance(organization)).toBe('25');
    const refunds = await pay.rig.place.sql(`select state from refunds where payment = '${id}'`);
    expect(refunds).toMatchObject([{ state: 'failed' }, { state: 'failed' }]);
    // Nobody knows whether the provider has paid it out.
    expect(alarms).toContain('undecided');
    expect(alarms).not.toContain('refund_failed');
  });
});

test('a refund that is paid after a month of silence is paid, and not given up', async () => {
  const organization = await pay.customer();
  const { id, url } = await topUp(organization);
  await payAt(url, CARDS.good);
  pay.provider.isAway = true;
  const path = `${pathOf(organization)}/payments/${id}/refund`;
  await pay.rig.ask('POST', path, { amount: '5', reason: 'asked for' });
  await pay.hours(50);
  pay.provider.isAway = false;
  pay.clock.advance(30 * 24 * 60 * 60 * 1000);
  const alarms: PaymentAlarm[] = [];
  const onAlarm = (alarm: PaymentAlarm) => alarms.push(alarm);
  const parts = { store: pay.rig.store, clock: pay.clock, log, seller: null, onAlarm };
  await refundTask(parts, pay.provider).run();
  expect(alarms).toEqual([]);
  const refunds = await pay.rig.place.sql(`select state from refunds where payment = '${id}'`);
  expect(refunds).toMatchObject([{ state: 'succeeded' }]);
  expect(await pay.balance(organization)).toBe('20');
});

test('a refund that the provider could not pay out is an alarm of its own, and told once', async () => {
  const organization = await pay.customer();
  const { id, url } = await topUp(organization);
  await payAt(url, CARDS.good);
  pay.provider.isAway = true;
  const path = `${pathOf(organization)}/payments/${id}/refund`;
  const { body } = await pay.rig.ask('POST', path, { amount: '5', reason: 'asked for' });
  const [payment] = await pay.rig.place.sql(`select reference from payments where id = '${id}'`);
  const alarms: PaymentAlarm[] = [];
  const onAlarm = (alarm: PaymentAlarm) => alarms.push(alarm);
  const parts = { store: pay.rig.store, clock: pay.clock, log, seller: null, onAlarm };
  const event: ProviderEvent = {
    kind: 'refund_failed',
    event: `failed:${body.refund.id}`,
    refund: body.refund.id,
    reference: (payment as { reference: string }).reference,
    amount: picoUsd(5n * PICO_PER_USD),
  };
  await ingestEvent(parts, 'sandbox', event);
  await ingestEvent(parts, 'sandbox', { ...event, event: `again:${body.refund.id}` });
  pay.provider.isAway = false;
  await pay.work();
  expect(alarms).toEqual(['refund_failed']);
  expect(await pay.balance(organization)).toBe('25');
});

test('two refunds at once take no more than is left of the payment', async () => {
  const organization = await pay.customer();
  const { id, url } = await topUp(organization);
  await payAt(url, CARDS.good);
  await pay.spend(organization, '-50');
  const { store } = pay.rig;
  const refund = () =>
    store.call(refundOnce, {
      idempotency: null,
      input: {
        id: mintId('transfer', pay.clock, random),
        organization: organization as never,
        payment: id,
        amount: null,
        reason: 'at once',
        person: null,
        created: pay.clock.now(),
      },
      entry: markOf(pay.clock, 'payment.refund'),
    });
  const made = await Promise.all([refund(), refund(), refund(), refund()]);
  expect(made.filter((one) => typeof one === 'object')).toHaveLength(1);
  await pay.work();
  expect(await pay.balance(organization)).toBe('55');
});

test('every state that is not final is watched, and leads to one that is', () => {
  for (const purpose of ['top-up', 'recharge', 'setup'] as const) {
    for (const [state, next] of Object.entries(PAYMENT_NEXT)) {
      const of = { purpose, state: state as keyof typeof PAYMENT_NEXT };
      if (isWatched(of)) expect(next.some((to) => !isWatched({ purpose, state: to }))).toBe(true);
    }
  }
  expect(REFUND_NEXT.pending).toEqual(['succeeded', 'failed']);
});
