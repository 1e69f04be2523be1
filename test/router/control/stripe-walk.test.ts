/** End-to-end with Stripe: pages, automatic webhooks, recharges, refunds, and lost messages. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  type BackgroundJobs,
  openBackgroundJobs,
} from '../../../router/control/background-jobs.ts';
import { reconciliationTask } from '../../../router/control/payments/reconciliation.ts';
import { StripeProvider } from '../../../router/control/payments/stripe.ts';
import { verifyLedger } from '../../../router/verify/verify.ts';
import type { IncarnationId, OrganizationId } from '../../../shared/ids.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { STRIPE_SECRETS, StripeStandIn } from '../../support/stripe-stand-in.ts';
import { log, PEPPER, type Rig, startRig } from './rig.ts';

const MINUTE_MS = 60_000;

const clock = new ManualClock(Date.UTC(2026, 9, 10));
let stripe: StripeStandIn;
let provider: StripeProvider;
let rig: Rig;
let backgroundJobs: BackgroundJobs;
beforeAll(async () => {
  stripe = await StripeStandIn.start(() => clock.now());
  provider = new StripeProvider({ at: stripe.at, ...STRIPE_SECRETS, clock, log });
  rig = await startRig(clock, ['global'], { provider });
  await rig.place.sql(
    `insert into incarnations (id, beat, regions, started) values ('rtr_test', 1, 'global', 0)`,
  );
  const { urls } = rig.provider.parts;
  const incarnation = () => 'rtr_test' as IncarnationId;
  const parts = {
    store: rig.store,
    clock,
    random,
    log,
    pepper: PEPPER,
    urls,
    provider,
    seller: null,
    webhooks: { allowPrivateAddresses: false },
    nameOfModel: (id: string) => id,
  };
  backgroundJobs = openBackgroundJobs({ ...parts, incarnation });
  hear();
});
afterEach(async () => {
  await stripe.quiet();
  expect((await rig.store.call(verifyLedger, null)).differences).toEqual([]);
});
afterAll(async () => {
  await backgroundJobs[Symbol.asyncDispose]();
  await stripe[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

const hear = () => stripe.tellTo(`${rig.origin}/api/v1/webhooks/stripe`, 'automatic');

type Customer = Readonly<{ id: OrganizationId; path: string }>;

async function customer(): Promise<Customer> {
  const { body } = await rig.ask('POST', '/api/v1/organizations', { name: 'Customer' });
  return { id: body.id, path: `/api/v1/organizations/${body.id}` };
}

/** Pays on Stripe's page, as a browser does. */
async function pay(url: string, card = '4242424242424242'): Promise<Response> {
  expect((await fetch(url)).status).toBe(200);
  const body = new URLSearchParams({ card });
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  await stripe.quiet();
  return answer;
}

async function topUp({ path }: Customer, amount = '20', keep = false): Promise<string> {
  const wanted = { amount, keep_method: keep };
  const { status, body } = await rig.ask('POST', `${path}/payments`, wanted);
  expect(status).toBe(201);
  return body.checkout_url;
}

async function payments({ path }: Customer): Promise<Record<string, unknown>[]> {
  return (await rig.ask('GET', `${path}/payments`)).body.data;
}

async function balance({ path }: Customer): Promise<string> {
  return (await rig.ask('GET', `${path}/credit`)).body.balance;
}

async function work(): Promise<void> {
  for (let pass = 0; pass < 3; pass++) {
    await backgroundJobs.look();
    await backgroundJobs.idle();
  }
  await stripe.quiet();
}

/** A customer with a saved card and auto-recharge, whose credit is nearly used up. */
async function low(card?: string): Promise<Customer> {
  const made = await customer();
  const begun = await rig.ask('POST', `${made.path}/payment-method`);
  await pay(begun.body.checkout_url, card);
  const settings = { enabled: true, threshold: '3', amount: '10', monthly_cap: null };
  expect((await rig.ask('PUT', `${made.path}/recharge`, settings)).status).toBe(200);
  const spent = { amount: '-4', reason: 'spent' };
  await rig.ask('POST', `${made.path}/credit/adjustments`, spent);
  return made;
}

async function recharge({ id }: Customer): Promise<void> {
  clock.advance(1_000);
  await backgroundJobs.exhausted(id);
  await work();
}

test('a top-up at the page of Stripe is credited, and its card kept for recharges', async () => {
  const lab = await customer();
  const answer = await pay(await topUp(lab, '20', true));
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toContain(rig.origin);
  expect(await balance(lab)).toBe('25');
  expect(await payments(lab)).toMatchObject([{ state: 'succeeded', amount: '20' }]);
  const { body } = await rig.ask('GET', `${lab.path}/recharge`);
  expect(body.method).toMatchObject({ label: 'visa •••• 4242' });
});

test('a declined card says why, and another one pays', async () => {
  const lab = await customer();
  const url = await topUp(lab);
  expect((await pay(url, '4000000000000002')).status).toBe(402);
  expect(await payments(lab)).toMatchObject([{ state: 'failed', reason: /declined/ }]);
  expect((await pay(url)).status).toBe(303);
  expect(await payments(lab)).toMatchObject([{ state: 'succeeded' }]);
  expect(await balance(lab)).toBe('25');
});

test('a recharge is told of by its answer and by a webhook, and credited once', async () => {
  const lab = await low();
  const before = stripe.paid.length;
  await recharge(lab);
  expect(await balance(lab)).toBe('11');
  expect(stripe.paid.length - before).toBe(1);
  expect((await payments(lab)).filter(({ purpose }) => purpose === 'recharge')).toHaveLength(1);
});

test('T18: where the answer to a charge is lost, later attempts make no second payment', async () => {
  const lab = await low();
  const before = stripe.paid.length;
  // No webhook reaches the router, either.
  stripe.tellTo(`${rig.origin}/nowhere`);
  stripe.loseAnswers(2, '/v1/payment_intents');
  await recharge(lab);
  expect(await balance(lab)).toBe('1');
  stripe.forgetIdempotencyKeys();
  for (let i = 0; i < 3; i++) {
    clock.advance(MINUTE_MS);
    await work();
  }
  expect(await balance(lab)).toBe('11');
  expect(stripe.paid.length - before).toBe(1);
  hear();
});

test('T18: three declines pause recharges', async () => {
  const lab = await low('4000000000000341');
  for (let i = 0; i < 6; i++) {
    await recharge(lab);
    clock.advance(60 * MINUTE_MS);
    await work();
  }
  const { body } = await rig.ask('GET', `${lab.path}/recharge`);
  expect(body.state).toBe('paused');
  expect((await payments(lab)).filter(({ state }) => state === 'failed')).toHaveLength(3);
  expect(await balance(lab)).toBe('1');
});

test('a webhook that never comes is no lost credit', async () => {
  const lab = await customer();
  const url = await topUp(lab);
  stripe.tellTo(`${rig.origin}/nowhere`);
  await pay(url);
  expect(await balance(lab)).toBe('5');
  clock.advance(2 * MINUTE_MS);
  await reconciliationTask({ store: rig.store, clock, log, random, seller: null }, provider).run();
  expect(await balance(lab)).toBe('25');
  // When all events arrive in the end, the payment is known.
  hear();
  for (const event of stripe.events('payment_intent.succeeded').slice(-1)) {
    expect(await stripe.deliver(event)).toBe(200);
  }
  expect(await balance(lab)).toBe('25');
});

test('a refund by an operator is paid out once, whatever is told of it', async () => {
  const lab = await customer();
  await pay(await topUp(lab));
  const [{ id } = { id: '' }] = await payments(lab);
  const path = `${lab.path}/payments/${String(id)}/refund`;
  stripe.loseAnswers(2, '/v1/refunds');
  const asked = await rig.ask('POST', path, { amount: '8', reason: 'sorry' });
  expect(asked.status).toBeLessThan(300);
  await work();
  stripe.forgetIdempotencyKeys();
  clock.advance(MINUTE_MS);
  await work();
  expect(stripe.account.list('refund', () => true)).toHaveLength(1);
  expect(await balance(lab)).toBe('17');
  const shown = await rig.ask('GET', `${lab.path}/payments/${String(id)}`);
  expect(shown.body).toMatchObject({ refunded: '8', refunds: [{ state: 'succeeded' }] });
});

test('no secret of Stripe is in the store', async () => {
  const bytes = await rig.bytes();
  for (const secret of Object.values(STRIPE_SECRETS)) expect(bytes).not.toContain(secret);
});
