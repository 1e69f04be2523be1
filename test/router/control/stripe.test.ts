/**
 * The Stripe implementation of our provider interface: its requests, the meaning of the answers,
 * and what stays unknown after a lost answer.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChargeInput, CheckoutInput } from '../../../router/control/payments/provider.ts';
import { STRIPE_API_VERSION, StripeProvider } from '../../../router/control/payments/stripe.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { mintId } from '../../../shared/ids.ts';
import { PICO_PER_USD, parseUsd, picoUsd } from '../../../shared/money.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { STRIPE_SECRETS, StripeStandIn } from '../../support/stripe-stand-in.ts';
import type { Card } from '../../support/stripe/account.ts';
import { log } from './rig.ts';

let stripe: StripeStandIn;
let provider: StripeProvider;
beforeEach(async () => {
  stripe = await StripeStandIn.start();
  provider = new StripeProvider({ at: stripe.at, ...STRIPE_SECRETS, clock, log });
});
afterEach(() => stripe[Symbol.asyncDispose]());

const usd = (dollars: number) => picoUsd(BigInt(dollars) * PICO_PER_USD);

function checkoutAsk(wanted: Partial<CheckoutInput> = {}): CheckoutInput {
  return {
    payment: mintId('payment', clock, random),
    organization: mintId('organization', clock, random),
    customer: null,
    email: 'a@example.com',
    amount: usd(20),
    keepMethod: false,
    successUrl: 'https://dash.example/done',
    cancelUrl: 'https://dash.example/left',
    ...wanted,
  };
}

/** A customer who has saved a card, and a charge for it. */
async function kept(card: Card = '4242424242424242'): Promise<ChargeInput> {
  const input = checkoutAsk({ amount: null });
  const { reference, customer } = await provider.checkout(input);
  expect(stripe.account.pay(reference, card)).toBe('succeeded');
  const event = await provider.look({ payment: input.payment, reference });
  if (typeof event !== 'object' || event?.kind !== 'method_kept')
    throw new Error('no card was kept');
  return {
    payment: mintId('payment', clock, random),
    organization: input.organization,
    customer: customer ?? '',
    method: event.method.id,
    amount: usd(50),
  };
}

test('a checkout asks for the amount in cents under our payment, and is told of as paid', async () => {
  const input = checkoutAsk({ amount: parseUsd('4999.99') ?? usd(0) });
  const checkout = await provider.checkout(input);
  expect(checkout.url).toContain(stripe.origin);
  expect(await provider.look({ ...input, reference: checkout.reference })).toBeNull();
  stripe.account.pay(checkout.reference);
  expect(await provider.look({ ...input, reference: checkout.reference })).toEqual({
    event: expect.stringMatching(/^paid:pi_/),
    kind: 'paid',
    payment: input.payment,
    reference: expect.stringMatching(/^pi_/),
    amount: parseUsd('4999.99'),
    customer: checkout.customer,
    // The customer did not choose to save the card.
    method: null,
  });
});

test('a checkout that is asked for again is the same, and the organization one customer', async () => {
  const input = checkoutAsk();
  const first = await provider.checkout(input);
  expect(await provider.checkout(input)).toEqual(first);
  expect(stripe.account.list('customer', () => true)).toHaveLength(1);
  const next = await provider.checkout(checkoutAsk({ customer: first.customer }));
  expect(next.customer).toBe(first.customer);
  expect(stripe.account.list('customer', () => true)).toHaveLength(1);
});

test('a card that is to be kept is kept with the payment, and known by its last digits', async () => {
  const input = checkoutAsk({ keepMethod: true });
  const { reference } = await provider.checkout(input);
  stripe.account.pay(reference);
  expect(await provider.look({ payment: input.payment, reference })).toMatchObject({
    kind: 'paid',
    method: { id: expect.stringMatching(/^pm_/), label: 'visa •••• 4242' },
  });
});

test('a checkout that ran out is told of as expired', async () => {
  const input = checkoutAsk();
  const { reference } = await provider.checkout(input);
  stripe.account.expire(reference);
  expect(await provider.look({ payment: input.payment, reference })).toEqual({
    event: `expired:${reference}`,
    kind: 'checkout_expired',
    payment: input.payment,
  });
});

test('what is paid by a bank is told of once it has come, and as failed if it does not', async () => {
  for (const [end, kind] of [
    ['succeeds', 'paid'],
    ['fails', 'payment_failed'],
  ] as const) {
    const input = checkoutAsk();
    const { reference } = await provider.checkout(input);
    expect(await provider.look({ payment: input.payment, reference })).toBeNull();
    expect(stripe.account.pay(reference, '000123456789')).toBe('pending');
    expect(await provider.look({ payment: input.payment, reference })).toBe('processing');
    stripe.account.settle(String(stripe.account.find(reference)['payment_intent']), end);
    expect(await provider.look({ payment: input.payment, reference })).toMatchObject({ kind });
  }
});

test('a look under another payment of ours tells nothing', async () => {
  const { reference } = await provider.checkout(checkoutAsk());
  stripe.account.pay(reference);
  const payment = mintId('payment', clock, random);
  expect(await provider.look({ payment, reference })).toBeNull();
});

test('what another account of Stripe knows is unknown here, and never charged', async () => {
  const input = await kept();
  const { reference } = await provider.checkout(checkoutAsk());
  const made = await provider.charge({ ...input, payment: mintId('payment', clock, random) });
  const paid = made.reference ?? '';
  await using other = await StripeStandIn.start();
  const there = new StripeProvider({ at: other.at, ...STRIPE_SECRETS, clock, log });
  expect(await there.look({ payment: input.payment, reference })).toBe('unknown');
  expect(await there.look({ payment: input.payment, reference: paid })).toBe('unknown');
  expect(await there.findCharge(input)).toBeNull();
  expect(await there.charge(input)).toMatchObject({ kind: 'declined' });
  const refund = mintId('transfer', clock, random);
  expect(await there.refund({ refund, reference: paid, amount: usd(5) })).toBe('failed');
});

test('a charge that was made is found again, and one that was not is none', async () => {
  const input = await kept();
  expect(await provider.findCharge(input)).toBeNull();
  await provider.charge(input);
  expect(await provider.findCharge(input)).toMatchObject({ kind: 'succeeded' });
});

test('a kept card is charged with nobody there', async () => {
  const input = await kept();
  const answer = await provider.charge(input);
  expect(answer).toEqual({ kind: 'succeeded', reference: expect.stringMatching(/^pi_/) });
  expect(stripe.paid).toEqual([expect.objectContaining({ amount: 5_000 })]);
});

test.each([
  ['4000000000000341', 'declined', /declined/],
  ['4000002760003184', 'needs_confirmation', /authentication/],
  ['000123456789', 'pending', null],
] as const)('a charge to the card %s is %s', async (card, kind, reason) => {
  const input = await kept(card === '000123456789' ? '4242424242424242' : card);
  if (card === '000123456789') stripe.account.find(input.method)['card_number'] = card;
  const answer = await provider.charge(input);
  expect(answer).toMatchObject({ kind, reference: expect.stringMatching(/^pi_/) });
  if (reason) expect(answer).toMatchObject({ reason: expect.stringMatching(reason) });
  // A repeated request is the same payment, not another attempt.
  expect(await provider.charge(input)).toEqual(answer);
  stripe.forgetIdempotencyKeys();
  expect(await provider.charge(input)).toEqual(answer);
  expect(stripe.account.list('payment_intent', () => true)).toHaveLength(1);
  expect(stripe.paid).toEqual([]);
});

test('a card that is not there any more is declined, and nothing is paid', async () => {
  const input = await kept();
  stripe.account.detach(input.method);
  expect(await provider.charge(input)).toMatchObject({ kind: 'declined', reference: null });
  expect(stripe.paid).toEqual([]);
});

test('T18: a charge whose answer was lost is not known, and asked again is paid once, also after days', async () => {
  const input = await kept();
  // The library itself retries once when a connection is cut.
  stripe.loseAnswers(2, '/v1/payment_intents');
  await expect(provider.charge(input)).rejects.toThrow(/^Stripe: StripeConnectionError/);
  expect(stripe.paid).toHaveLength(1);
  expect(await provider.charge(input)).toMatchObject({ kind: 'succeeded' });
  stripe.forgetIdempotencyKeys();
  expect(await provider.charge(input)).toMatchObject({ kind: 'succeeded' });
  expect(stripe.paid).toHaveLength(1);
});

test('what Stripe cannot answer is not known, and quotes nothing of what was sent', async () => {
  const input = await kept();
  stripe.failAnswers(1);
  await expect(provider.charge(input)).rejects.toThrow(
    /^Stripe: StripeAPIError, code -, status 500/,
  );
  const stranger = new StripeProvider({
    at: stripe.at,
    ...STRIPE_SECRETS,
    secretKey: 'sk_test_another',
    clock,
    log,
  });
  // This is the operator's error, not the card's, so it must not count as declined.
  await expect(stranger.charge(input)).rejects.toThrow(/^Stripe: StripeAuthenticationError/);
  await expect(stranger.charge(input)).rejects.not.toThrow(/sk_test/);
  expect(stripe.paid).toEqual([]);
});

test('a refund is paid out once, and refused where nothing is left', async () => {
  const input = await kept();
  const { reference } = await provider.charge(input);
  const wanted = {
    refund: mintId('transfer', clock, random),
    reference: reference ?? '',
    amount: usd(30),
  };
  expect(await provider.refund(wanted)).toBe('succeeded');
  stripe.forgetIdempotencyKeys();
  expect(await provider.refund(wanted)).toBe('succeeded');
  expect(stripe.account.list('refund', () => true)).toHaveLength(1);
  const more = { ...wanted, refund: mintId('transfer', clock, random) };
  expect(await provider.refund(more)).toBe('failed');
  expect(await provider.refund({ ...more, amount: picoUsd(1n) })).toBe('failed');
  stripe.failAnswers(1);
  await expect(provider.refund({ ...more, amount: usd(1) })).rejects.toThrow(/status 500/);
});

test('the portal is a page of Stripe for the customer', async () => {
  const { customer } = await kept();
  const returnUrl = 'https://dash.example/billing';
  expect(await provider.portal({ customer, returnUrl })).toContain(stripe.origin);
});

test('all that is asked carries an idempotency key, and the version is pinned', async () => {
  await provider.charge(await kept());
  const posts = stripe.asked.filter(({ method }) => method === 'POST');
  expect(posts.length).toBeGreaterThan(2);
  for (const { idempotencyKey } of posts) expect(idempotencyKey).toMatch(/^pay_/);
  expect(STRIPE_API_VERSION).toBe('2026-10-28.endive');
});

test('an amount of parts of a cent is not rounded, but a mistake', async () => {
  await expect(provider.checkout(checkoutAsk({ amount: picoUsd(1n) }))).rejects.toThrow(/cents/);
});
