/**
 * A provider's events, delivered once, twice, late and out of order: credit moves once, according
 * to our own rows.
 */
import { afterEach, expect, test } from 'vitest';
import { ingestEvent } from '../../../router/control/payments/ingest-event.ts';
import type { ProviderEvent } from '../../../router/control/payments/provider.ts';
import { verifyLedger } from '../../../router/verify/verify.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { mintId, type PaymentId } from '../../../shared/ids.ts';
import { PICO_PER_USD, picoUsd } from '../../../shared/money.ts';
import { seededRandom, systemRandom as random } from '../../../shared/random.ts';
import { log } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

let made = 0;
afterEach(async () => {
  expect((await rig.store.call(verifyLedger, null)).differences).toEqual([]);
});

const usd = (dollars: bigint | number) => picoUsd(BigInt(dollars) * PICO_PER_USD);
const tell = (event: ProviderEvent) =>
  ingestEvent({ store: rig.store, clock, log, seller: null }, 'stripe', event);

async function customer(): Promise<string> {
  const opened = await rig.ask('POST', '/api/v1/organizations', { name: 'Customer' });
  return opened.body.id;
}

type Wanted = Partial<Record<'purpose' | 'state', string>> & { keep?: boolean; dollars?: number };

/** Starts a payment, as the routes do. */
async function begin(organization: string, wanted: Wanted = {}): Promise<PaymentId> {
  const id = mintId('payment', clock, random);
  const { purpose = 'top-up', state = 'open', keep = false, dollars = 20 } = wanted;
  const amount = purpose === 'setup' ? 'null' : `${usd(dollars)}`;
  await rig.place.sql(
    `insert into payments (id, organization, provider, purpose, state, amount, keep_method, created)
     values ('${id}', '${organization}', 'stripe', '${purpose}', '${state}', ${amount},
       ${keep ? 1 : 0}, ${clock.now()})`,
  );
  return id;
}

function paidEvent(payment: PaymentId, dollars = 20): ProviderEvent & { kind: 'paid' } {
  const reference = `pi_${made++}`;
  return {
    event: `paid:${reference}`,
    kind: 'paid',
    payment,
    reference,
    amount: usd(dollars),
    customer: null,
    method: null,
  };
}

async function balance(organization: string): Promise<string> {
  return (await rig.ask('GET', `/api/v1/organizations/${organization}/credit`)).body.balance;
}

async function kinds(organization: string): Promise<string[]> {
  const page = await rig.ask('GET', `/api/v1/organizations/${organization}/transfers`);
  return page.body.data.map(({ kind, amount }: Record<string, string>) => `${kind} ${amount}`);
}

async function row(payment: PaymentId): Promise<Record<string, unknown>> {
  const [found] = await rig.place.sql(`select * from payments where id = '${payment}'`);
  return found as Record<string, unknown>;
}

const outcomes = (told: readonly { outcome: string }[]) => told.map(({ outcome }) => outcome);

test('T17: a payment told of ten times at once and by two events is credited once, with one receipt', async () => {
  const organization = await customer();
  const payment = await begin(organization);
  const event = paidEvent(payment);
  const told = await Promise.all(Array.from({ length: 10 }, () => tell(event)));
  expect(outcomes(told).toSorted()).toEqual(['applied', ...Array(9).fill('known')]);
  expect((await tell({ ...event, event: 'the same money, otherwise' })).outcome).toBe('known');
  expect(await balance(organization)).toBe('25');
  expect(await row(payment)).toMatchObject({
    state: 'succeeded',
    paid: usd(20),
    receipt: 1n,
    reference: event.reference,
  });
  const letters = await rig.place.sql(
    `select id from jobs where kind = 'letter' and subject = '${organization}'`,
  );
  expect(letters).toHaveLength(1);
  const audit = await rig.place.sql(`select action, actor from audit where target = '${payment}'`);
  expect(audit).toEqual([{ action: 'payment.succeed', actor: 'stripe' }]);
});

test('T17: a first attempt that failed is credited when it succeeds later, and its failure told late changes nothing', async () => {
  const organization = await customer();
  const payment = await begin(organization);
  const failure = { kind: 'payment_failed', payment, reason: 'card_declined' } as const;
  expect((await tell({ ...failure, event: 'failed:1' })).outcome).toBe('applied');
  expect(await row(payment)).toMatchObject({ state: 'failed', reason: 'card_declined' });
  expect((await tell(paidEvent(payment))).outcome).toBe('applied');
  expect((await tell({ ...failure, event: 'failed:2' })).outcome).toBe('known');
  expect((await tell({ kind: 'checkout_expired', payment, event: 'left' })).outcome).toBe('known');
  expect(await row(payment)).toMatchObject({ state: 'succeeded', reason: null });
  expect(await kinds(organization)).toEqual(['payment 20', 'welcome 5']);
});

test('money that comes after the checkout ran out is credited', async () => {
  const organization = await customer();
  const payment = await begin(organization);
  expect((await tell({ kind: 'checkout_expired', payment, event: `x:${payment}` })).outcome).toBe(
    'applied',
  );
  expect(await row(payment)).toMatchObject({ state: 'expired' });
  expect((await tell(paidEvent(payment))).outcome).toBe('applied');
  expect(await balance(organization)).toBe('25');
});

test('what was really paid is credited, and an amount that nobody asked for is an alarm', async () => {
  const organization = await customer();
  const payment = await begin(organization);
  const applied = await tell(paidEvent(payment, 7));
  expect(applied).toEqual({
    outcome: 'applied',
    alarm: expect.stringContaining('differs from the amount'),
  });
  expect(await balance(organization)).toBe('12');
  const [line] = await rig.place.sql(`select details from audit where target = '${payment}'`);
  expect(JSON.parse((line as { details: string }).details)).toMatchObject({
    amount: '7',
    asked: '20',
  });
});

test('a payment that was paid twice is credited twice, and is an alarm', async () => {
  const organization = await customer();
  const payment = await begin(organization);
  await tell(paidEvent(payment));
  expect((await tell(paidEvent(payment))).alarm).toBe('payment was paid twice');
  expect(await balance(organization)).toBe('45');
});

test('receipts are numbered without gaps in each organization, also when payments end at the same time', async () => {
  const organization = await customer();
  const begun = await Promise.all(Array.from({ length: 5 }, () => begin(organization)));
  const another = await begin(await customer());
  await Promise.all([...begun, another].map((payment) => tell(paidEvent(payment))));
  const numbers = await Promise.all(begun.map(async (payment) => (await row(payment))['receipt']));
  expect(numbers.map(Number).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
  expect((await row(another))['receipt']).toBe(1n);
});

test('of a payment that is not ours nothing is believed, and of another provider neither', async () => {
  const organization = await customer();
  const payment = await begin(organization);
  const unknown = mintId('payment', clock, random);
  expect((await tell(paidEvent(unknown))).outcome).toBe('ignored');
  const parts = { store: rig.store, clock, log, seller: null };
  expect((await ingestEvent(parts, 'sandbox', paidEvent(payment))).outcome).toBe('ignored');
  expect(await balance(organization)).toBe('5');
});

test('a dispute takes the payment back and suspends; it is told again, before its payment, or given back', async () => {
  const organization = await customer();
  const payment = await begin(organization);
  const event = paidEvent(payment);
  const { reference, amount } = event;
  const dispute = { kind: 'disputed', reference, amount, event: `dp:${reference}` } as const;
  const won = { kind: 'dispute_won', reference, amount, event: `won:${reference}` } as const;
  expect((await tell(dispute)).outcome).toBe('too_early');
  await tell(event);
  expect((await tell(won)).outcome).toBe('too_early');
  expect(outcomes([await tell(dispute), await tell(dispute)])).toEqual(['applied', 'known']);
  expect(await balance(organization)).toBe('5');
  const shown = await rig.ask('GET', `/api/v1/organizations/${organization}`);
  expect(shown.body.status).toBe('suspended');
  expect(outcomes([await tell(won), await tell(won)])).toEqual(['applied', 'known']);
  expect(await kinds(organization)).toEqual([
    'dispute_reversal 20',
    'dispute -20',
    'payment 20',
    'welcome 5',
  ]);
  expect(await row(payment)).toMatchObject({ disputed: 0n });
});

test("a refund made at the provider's reduces the balance, and comes back when it fails", async () => {
  const organization = await customer();
  const payment = await begin(organization);
  const event = paidEvent(payment);
  await tell(event);
  const { reference } = event;
  const there = { kind: 'refunded', refund: null, reference, amount: usd(8) } as const;
  const told = { ...there, event: `re:${reference}` };
  expect(outcomes([await tell(told), await tell(told)])).toEqual(['applied', 'known']);
  expect(await balance(organization)).toBe('17');
  expect(await row(payment)).toMatchObject({ refunded: usd(8) });
  const back = { ...there, kind: 'refund_failed', event: `ref:${reference}` } as const;
  expect(outcomes([await tell(back), await tell(back)])).toEqual(['applied', 'known']);
  expect(await balance(organization)).toBe('25');
  expect(await row(payment)).toMatchObject({ refunded: 0n });
});

test('what is taken back of a payment whose credit is not here yet is too early, and suspends nobody', async () => {
  const organization = await customer();
  const payment = await begin(organization, { purpose: 'recharge', state: 'pending' });
  const event = paidEvent(payment);
  const { reference, amount } = event;
  // As for a charge that the provider has accepted.
  await rig.place.sql(`update payments set reference = '${reference}' where id = '${payment}'`);
  const back = { kind: 'refunded', refund: null, reference, amount, event: `re:${reference}` };
  const taken = { kind: 'disputed', reference, amount, event: `dp:${reference}` } as const;
  expect((await tell(back as ProviderEvent)).outcome).toBe('too_early');
  expect((await tell(taken)).outcome).toBe('too_early');
  await tell(event);
  expect((await tell(back as ProviderEvent)).outcome).toBe('applied');
  const shown = await rig.ask('GET', `/api/v1/organizations/${organization}`);
  expect(shown.body.status).toBe('active');
  expect(await balance(organization)).toBe('5');
});

test("a refund made at the provider's of what is spent leaves a debt, and suspends", async () => {
  const organization = await customer();
  const payment = await begin(organization);
  const event = paidEvent(payment);
  await tell(event);
  await rig.ask('POST', `/api/v1/organizations/${organization}/credit/adjustments`, {
    amount: '-15',
    reason: 'spent',
  });
  const { reference } = event;
  const told = { kind: 'refunded', refund: null, reference, amount: usd(20) } as const;
  expect((await tell({ ...told, event: `re:${reference}` })).alarm).toContain('suspended');
  expect(await balance(organization)).toBe('-10');
  const shown = await rig.ask('GET', `/api/v1/organizations/${organization}`);
  expect(shown.body.status).toBe('suspended');
  await tell({ ...told, kind: 'refund_failed', event: `ref:${reference}` });
  expect(await balance(organization)).toBe('10');
});

test('a means of payment is kept for whose payment it was, and for nobody else', async () => {
  const organization = await customer();
  const method = { id: 'pm_1', label: 'Visa •••• 4242' };
  const setup = await begin(organization, { purpose: 'setup' });
  const keep = { kind: 'method_kept', customer: 'cus_1', method } as const;
  expect((await tell({ ...keep, payment: setup, event: 'kept:1' })).outcome).toBe('applied');
  expect(await row(setup)).toMatchObject({ state: 'succeeded', transfer: null, receipt: null });
  const foreign = await begin(await customer(), { purpose: 'setup' });
  expect((await tell({ ...keep, payment: foreign, event: 'kept:2' })).outcome).toBe('ignored');
  const methods = () => rig.place.sql(`select organization, method from payment_customers`);
  expect(await methods()).toEqual([{ organization, method: 'pm_1' }]);
  const gone = { kind: 'method_removed', customer: 'cus_1', method: 'pm_1' } as const;
  expect((await tell({ ...gone, event: 'gone:1' })).outcome).toBe('applied');
  expect(await methods()).toEqual([{ organization, method: null }]);
});

test('a card that is kept stays with the customer it was kept for', async () => {
  const organization = await customer();
  const method = { id: 'pm_3', label: 'Visa •••• 4242' };
  await tell({
    ...paidEvent(await begin(organization, { keep: true })),
    customer: 'cus_3',
    method,
  });
  // Two checkouts that started at the same time each created a customer at the provider.
  await tell({ ...paidEvent(await begin(organization)), customer: 'cus_4', method: null });
  const known = await rig.place.sql(
    `select customer, method from payment_customers where organization = '${organization}'`,
  );
  expect(known).toEqual([{ customer: 'cus_3', method: 'pm_3' }]);
});

test('a paid top-up keeps its means of payment only where that was asked for', async () => {
  const organization = await customer();
  const method = { id: 'pm_2', label: 'Visa •••• 4242' };
  const without = await begin(organization);
  await tell({ ...paidEvent(without), customer: 'cus_2', method });
  const methods = () =>
    rig.place.sql(`select method from payment_customers where organization = '${organization}'`);
  expect(await methods()).toEqual([{ method: null }]);
  const keeping = await begin(organization, { keep: true });
  await tell({ ...paidEvent(keeping), customer: 'cus_2', method });
  expect(await methods()).toEqual([{ method: 'pm_2' }]);
});

/** All possible events of one payment, each twice, in an order that depends on the seed. */
function everything(event: ProviderEvent & { kind: 'paid' }, seed: number): ProviderEvent[] {
  const { reference, payment } = event;
  const there = { refund: null, reference, amount: usd(8) } as const;
  const taken = { reference, amount: usd(4) } as const;
  const told: ProviderEvent[] = [
    event,
    { kind: 'payment_failed', payment, reason: 'declined', event: `f:${reference}` },
    { kind: 'checkout_expired', payment, event: `e:${reference}` },
    { ...there, kind: 'refunded', event: `re1:${reference}` },
    { ...there, kind: 'refunded', event: `re2:${reference}` },
    { ...there, kind: 'refund_failed', event: `rf:${reference}` },
    { ...taken, kind: 'disputed', event: `dp:${reference}` },
    { ...taken, kind: 'dispute_won', event: `won:${reference}` },
  ];
  const dice = seededRandom(seed);
  return [...told, ...told]
    .map((one) => [dice.unit(), one] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, one]) => one);
}

test('T17: in whatever order all is told, and told again where it was too early, the end is the same', async () => {
  for (let seed = 1; seed <= 24; seed++) {
    const organization = await customer();
    const purpose = seed % 2 === 0 ? 'recharge' : 'top-up';
    const payment = await begin(organization, { purpose, state: 'pending' });
    const event = paidEvent(payment);
    const known = `update payments set reference = '${event.reference}' where id = '${payment}'`;
    if (seed % 3 === 0) await rig.place.sql(known);
    let waiting = everything(event, seed);
    for (let round = 0; waiting.length > 0 && round < 10; round++) {
      const again: ProviderEvent[] = [];
      for (const one of waiting) {
        if ((await tell(one)).outcome === 'too_early') again.push(one);
      }
      waiting = again;
    }
    expect(waiting).toEqual([]);
    expect(await balance(organization)).toBe('17');
    const ended = { state: 'succeeded', paid: usd(20), refunded: usd(8), disputed: 0n };
    expect(await row(payment)).toMatchObject(ended);
  }
});
