/**
 * T17: Stripe's webhook, replayed, reordered, badly signed, and cut off before it is durable:
 * credited once, never lost.
 */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CheckoutInput } from '../../../router/control/payments/provider.ts';
import { StripeProvider } from '../../../router/control/payments/stripe.ts';
import { verifyLedger } from '../../../router/verify/verify.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { mintId, type PaymentId } from '../../../shared/ids.ts';
import { PICO_PER_USD, picoUsd } from '../../../shared/money.ts';
import { seededRandom, systemRandom as random } from '../../../shared/random.ts';
import { STRIPE_SECRETS, StripeStandIn } from '../../support/stripe-stand-in.ts';
import type { Card, StripeEvent } from '../../support/stripe/account.ts';
import { log, type Rig, startRig } from './rig.ts';

let rig: Rig;
let stripe: StripeStandIn;
let provider: StripeProvider;
beforeAll(async () => {
  stripe = await StripeStandIn.start();
  provider = new StripeProvider({ at: stripe.at, ...STRIPE_SECRETS, clock, log });
  rig = await startRig(clock, ['global'], { provider });
  stripe.tellTo(`${rig.origin}/api/v1/webhooks/stripe`);
});
beforeEach(() => stripe.account.events.splice(0));
afterEach(async () => {
  expect((await rig.store.call(verifyLedger, null)).differences).toEqual([]);
});
afterAll(async () => {
  await rig[Symbol.asyncDispose]();
  await stripe[Symbol.asyncDispose]();
});

type Begun = Readonly<{
  organization: string;
  payment: PaymentId;
  /** Stripe's id of the checkout session. */
  session: string;
}>;

/** An organization that has started a payment, as the routes do. */
async function begin(wanted: Partial<CheckoutInput> = {}): Promise<Begun> {
  const opened = await rig.ask('POST', '/api/v1/organizations', { name: 'Customer' });
  const organization = opened.body.id;
  const payment = mintId('payment', clock, random);
  const { amount = picoUsd(20n * PICO_PER_USD), keepMethod = false } = wanted;
  await rig.place.sql(
    `insert into payments (id, organization, provider, purpose, state, amount, keep_method, created)
     values ('${payment}', '${organization}', 'stripe', '${amount === null ? 'setup' : 'top-up'}',
       'open', ${amount}, ${keepMethod ? 1 : 0}, ${clock.now()})`,
  );
  const { reference } = await provider.checkout({
    payment,
    organization,
    customer: null,
    email: 'a@example.com',
    amount,
    keepMethod,
    successUrl: `${rig.origin}/done`,
    cancelUrl: `${rig.origin}/left`,
  });
  return { organization, payment, session: reference };
}

async function paid(card?: Card): Promise<Begun & { intent: string }> {
  const begun = await begin();
  stripe.account.pay(begun.session, card);
  return { ...begun, intent: String(stripe.account.find(begun.session)['payment_intent']) };
}

async function balance(organization: string): Promise<string> {
  return (await rig.ask('GET', `/api/v1/organizations/${organization}/credit`)).body.balance;
}

async function state(payment: PaymentId): Promise<unknown> {
  const [row] = await rig.place.sql(`select state from payments where id = '${payment}'`);
  return (row as { state: unknown }).state;
}

/** Sends all events in this order, and repeats those that were not accepted until they are. */
async function deliverAll(events: readonly StripeEvent[] = stripe.events()): Promise<void> {
  let left = [...events];
  for (let round = 0; left.length > 0; round++) {
    expect(round).toBeLessThan(5);
    const again: StripeEvent[] = [];
    for (const event of left) if ((await stripe.deliver(event)) !== 200) again.push(event);
    left = again;
  }
}

test('one payment is told of by two events, each ten times at once: it is credited once', async () => {
  const { organization, payment } = await paid();
  const events = stripe.events();
  expect(events.map(({ type }) => type)).toEqual([
    'payment_intent.succeeded',
    'checkout.session.completed',
  ]);
  const all = Array.from({ length: 10 }, () => events).flat();
  const statuses = await Promise.all(all.map((event) => stripe.deliver(event)));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await balance(organization)).toBe('25');
  expect(await state(payment)).toBe('succeeded');
});

test('either event alone credits the payment', async () => {
  for (const type of ['payment_intent.succeeded', 'checkout.session.completed']) {
    const { organization } = await paid();
    const [event] = stripe.events(type).slice(-1);
    expect(await stripe.deliver(event as StripeEvent)).toBe(200);
    expect(await balance(organization)).toBe('25');
  }
});

test('a declined first attempt credits nothing, and the second does, in whatever order they are told', async () => {
  for (const order of ['as it was', 'reversed'] as const) {
    stripe.account.events.splice(0);
    const begun = await begin();
    expect(stripe.account.pay(begun.session, '4000000000000002')).toBe('declined');
    if (order === 'as it was') {
      await deliverAll();
      expect(await state(begun.payment)).toBe('failed');
      expect(await balance(begun.organization)).toBe('5');
    }
    stripe.account.pay(begun.session);
    const events = stripe.events();
    await deliverAll(order === 'reversed' ? events.toReversed() : events);
    expect(await state(begun.payment)).toBe('succeeded');
    expect(await balance(begun.organization)).toBe('25');
  }
});

test('a checkout that expired is closed, and money that comes for it all the same is credited', async () => {
  const { organization, payment, session } = await begin();
  stripe.account.pay(session);
  const completed = stripe.events();
  stripe.account.expire(session);
  await deliverAll(stripe.events('checkout.session.expired'));
  expect(await state(payment)).toBe('expired');
  await deliverAll(completed.slice(0, 1));
  expect(await state(payment)).toBe('succeeded');
  expect(await balance(organization)).toBe('25');
});

test('money that comes days later is credited when it has come', async () => {
  const { organization, payment, intent } = await paid('000123456789');
  await deliverAll();
  expect(await balance(organization)).toBe('5');
  stripe.account.settle(intent, 'succeeds');
  await deliverAll(stripe.events().toReversed());
  expect(await state(payment)).toBe('succeeded');
  expect(await balance(organization)).toBe('25');
});

test('a card that is kept is known, and forgotten once it is taken away at Stripe', async () => {
  const { organization, payment, session } = await begin({ amount: null });
  stripe.account.pay(session);
  await deliverAll(stripe.events().toReversed());
  expect(await state(payment)).toBe('succeeded');
  const method = async () => {
    const [row] = await rig.place.sql(
      `select method, method_label from payment_customers where organization = '${organization}'`,
    );
    return row as { method: string | null; method_label: string | null };
  };
  expect((await method()).method_label).toBe('visa •••• 4242');
  stripe.account.detach(String((await method()).method));
  await deliverAll();
  expect(await method()).toEqual({ method: null, method_label: null });
});

test('a refund that is made at Stripe lowers the balance once, and one that fails comes back', async () => {
  for (const order of ['as it was', 'reversed'] as const) {
    stripe.account.events.splice(0);
    const { organization, intent } = await paid();
    await deliverAll();
    const refund = stripe.account.refund(intent, 800);
    const made = stripe.events('refund.created', 'charge.refunded');
    await deliverAll(order === 'reversed' ? made.toReversed() : made);
    await deliverAll();
    expect(await balance(organization)).toBe('17');
    stripe.account.failRefund(refund.id);
    await deliverAll(stripe.events().toReversed());
    expect(await balance(organization)).toBe('25');
  }
});

test('a dispute takes the money and suspends, and one that is won gives it back, in whatever order', async () => {
  for (const order of ['as it was', 'reversed'] as const) {
    stripe.account.events.splice(0);
    const { organization, intent } = await paid();
    await deliverAll();
    const dispute = stripe.account.dispute(intent, 2_000);
    if (order === 'as it was') await deliverAll();
    stripe.account.closeDispute(dispute.id, 'won');
    await deliverAll(stripe.events().toReversed());
    expect(await balance(organization)).toBe('25');
    const shown = await rig.ask('GET', `/api/v1/organizations/${organization}`);
    expect(shown.body.status).toBe('suspended');
  }
});

test('what is told before the payment itself waits for it', async () => {
  const { organization, intent } = await paid();
  stripe.account.dispute(intent, 2_000);
  const [created] = stripe.events('charge.dispute.created');
  expect(await stripe.deliver(created as StripeEvent)).toBe(409);
  await deliverAll(stripe.events().toReversed());
  expect(await balance(organization)).toBe('5');
});

test('a whole history, each part of it told up to three times in any order, ends the same', async () => {
  const chance = seededRandom(20_261_121);
  for (let run = 0; run < 8; run++) {
    stripe.account.events.splice(0);
    const { organization, session } = await begin();
    stripe.account.pay(session, '4000000000000002');
    stripe.account.pay(session);
    const intent = String(stripe.account.find(session)['payment_intent']);
    stripe.account.refund(intent, 300);
    stripe.account.failRefund(stripe.account.refund(intent, 500).id);
    stripe.account.closeDispute(stripe.account.dispute(intent, 700).id, 'won');
    stripe.account.closeDispute(stripe.account.dispute(intent, 100).id, 'lost');
    const told = stripe.events().flatMap((event) => Array(1 + chance.below(3)).fill(event));
    const order = told.map((event: StripeEvent) => ({ event, at: chance.unit() }));
    await deliverAll(order.toSorted((a, b) => a.at - b.at).map(({ event }) => event));
    // 5 and 20, less the refund and the amount of the lost dispute.
    expect(await balance(organization)).toBe('21');
  }
});

test('an inquiry takes nothing, unless the bank goes further', async () => {
  const { organization, intent } = await paid();
  const inquiry = stripe.account.dispute(intent, 2_000, 'warning_needs_response');
  await deliverAll();
  expect(await balance(organization)).toBe('25');
  inquiry['status'] = 'needs_response';
  stripe.account.tell('charge.dispute.updated', inquiry);
  stripe.account.tell('charge.dispute.funds_withdrawn', inquiry);
  await deliverAll();
  expect(await balance(organization)).toBe('5');
});

test('what is not signed by Stripe, or long ago, changes and tells nothing', async () => {
  const { organization } = await paid();
  const [event] = stripe.events() as [StripeEvent];
  const body = JSON.stringify(event);
  const askedBefore = stripe.asked.length;
  const answers = await Promise.all([
    stripe.send(body, { secret: 'whsec_another' }),
    stripe.send(body, { agoS: 3_600 }),
    stripe.send(body, { signature: '' }),
    stripe.send(body, { signature: 't=1,v1=00' }),
    stripe.send(body, { signature: 'nonsense' }),
    stripe.send('not even JSON', { secret: 'whsec_another' }),
    fetch(`${rig.origin}/api/v1/webhooks/stripe`, { method: 'POST' }),
    fetch(`${rig.origin}/api/v1/webhooks/stripe`, { method: 'POST', body }),
  ]);
  for (const answer of answers) {
    expect(answer.status).toBe(400);
    const { error } = (await answer.json()) as { error: { code: string; message: string } };
    expect(error.code).toBe('bad_request');
    expect(error.message).not.toMatch(/tolerance|secret|timestamp|v1/i);
  }
  // No request about it was sent to Stripe, either.
  expect(stripe.asked).toHaveLength(askedBefore);
  expect(await balance(organization)).toBe('5');
  await deliverAll();
  expect(await balance(organization)).toBe('25');
});

test('a body that was changed under way is refused, and so is one beyond 1 MiB', async () => {
  const { organization } = await paid();
  const body = JSON.stringify(stripe.events()[0]);
  const at = Math.floor(clock.now() / 1000);
  const honest = await stripe.send(`${body} `, { signature: `t=${at},v1=${'0'.repeat(64)}` });
  expect(honest.status).toBe(400);
  const large = await stripe.send(`${body}${' '.repeat(1024 * 1024)}`);
  expect(large.status).toBe(400);
  expect(await balance(organization)).toBe('5');
});

test('what is of no interest, or of others on the same account, is taken and ignored', async () => {
  const { intent } = await paid();
  const other = stripe.account.add('pi', 'payment_intent', {
    amount_received: 500,
    currency: 'usd',
    metadata: {},
    status: 'succeeded',
  });
  stripe.account.tell('payment_intent.succeeded', other);
  stripe.account.tell('customer.created', stripe.account.find(intent));
  for (const event of stripe.events().slice(-2)) expect(await stripe.deliver(event)).toBe(200);
  const charge = stripe.account.add('ch', 'charge', { amount: 500, amount_refunded: 0 });
  other['latest_charge'] = charge.id;
  stripe.account.dispute(other.id, 500);
  for (const event of stripe.events().slice(-2)) expect(await stripe.deliver(event)).toBe(200);
});

test('money in another currency is not credited', async () => {
  const { organization, intent } = await paid();
  const foreign = { ...stripe.account.find(intent), currency: 'eur' };
  stripe.account.events.splice(0);
  stripe.account.tell('payment_intent.succeeded', foreign);
  await deliverAll();
  expect(await balance(organization)).toBe('5');
});

test('cut off at any point before the answer, the event is told again and credits once', async () => {
  const { organization } = await paid();
  const [event] = stripe.events() as [StripeEvent];
  const body = JSON.stringify(event);
  const signed = signatureOf(body);
  for (let i = 0; i < 10; i++) {
    const cut = request(`${rig.origin}/api/v1/webhooks/stripe`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'stripe-signature': signed,
      },
    });
    cut.on('error', () => {});
    // Cut before the body, within it, and (five times) after it.
    const sent = [0, 1, 100, 200, 300][i] ?? body.length;
    cut.write(body.slice(0, sent));
    await once(cut, 'socket');
    await rig.ask('GET', '/healthz');
    cut.destroy();
  }
  expect(['5', '25']).toContain(await balance(organization));
  await deliverAll();
  expect(await balance(organization)).toBe('25');
});

test.each(['transfers', 'payment_events', 'jobs', 'audit'])(
  'where the transaction fails at %s nothing of it stays, and the next telling credits',
  async (table) => {
    const { organization, payment } = await paid();
    const [event] = stripe.events() as [StripeEvent];
    await rig.place.sql(`alter table ${table} rename to ${table}_away`);
    expect(await stripe.deliver(event)).toBe(500);
    await rig.place.sql(`alter table ${table}_away rename to ${table}`);
    expect(await balance(organization)).toBe('5');
    expect(await state(payment)).toBe('open');
    await deliverAll();
    await deliverAll();
    expect(await balance(organization)).toBe('25');
  },
);

test('while Stripe cannot be asked what an event needs, nothing is taken, and later it is', async () => {
  const { organization } = await paid();
  const [event] = stripe.events('checkout.session.completed') as [StripeEvent];
  stripe.failAnswers(1);
  expect(await stripe.deliver(event)).toBe(502);
  expect(await balance(organization)).toBe('5');
  expect(await stripe.deliver(event)).toBe(200);
  expect(await balance(organization)).toBe('25');
});

function signatureOf(body: string): string {
  const at = Math.floor(clock.now() / 1000);
  const digest = createHmac('sha256', STRIPE_SECRETS.webhookSecret).update(`${at}.${body}`);
  return `t=${at},v1=${digest.digest('hex')}`;
}
