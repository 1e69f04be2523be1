/**
 * Payments through Stripe. Every request carries an id of ours as its idempotency key. When a
 * response is lost, the result is unknown, so this module does not retry: its caller repeats the
 * call later.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Stripe } from 'stripe';
import type { Clock } from '../../../shared/clock.ts';
import type { PaymentId, TransferId } from '../../../shared/ids.ts';
import type { Log } from '../../../shared/log.ts';
import type { PicoUsd } from '../../../shared/money.ts';
import { Refused } from '../api.ts';
import { centsOf } from './cents.ts';
import type {
  ChargeAnswer,
  ChargeInput,
  Checkout,
  CheckoutInput,
  PaymentProvider,
  ProviderEvent,
  RefundInput,
} from './provider.ts';
import { isDefinite, isMissing, unknownOf } from './stripe-errors.ts';
import { paymentOf, StripeEventReader } from './stripe-events.ts';

/**
 * The version of Stripe's API is pinned, so that its responses and events change only with this
 * code.
 */
export const STRIPE_API_VERSION = '2026-10-28.endive';
const ANSWER_MS_MAX = 30_000;
/** An event that was signed longer ago may be a replay. */
const SIGNED_S_MAX = 300;
/** How many of a customer's latest payments, or of a payment's latest refunds, are searched. */
const LATEST_MAX = 100;

export type StripeParts = Readonly<{
  /** The address of Stripe's API. Defaults to the real one. */
  at: Readonly<{
    host?: string | undefined;
    port?: number | undefined;
    protocol?: 'http' | 'https' | undefined;
  }>;
  secretKey: string;
  webhookSecret: string;
  clock: Clock;
  log: Log;
}>;

export class StripeProvider implements PaymentProvider {
  readonly name = 'stripe';
  readonly #stripe: Stripe;
  readonly #events: StripeEventReader;
  readonly #parts: StripeParts;

  constructor(parts: StripeParts) {
    const { host, port, protocol } = parts.at;
    this.#parts = parts;
    this.#stripe = new Stripe(parts.secretKey, {
      apiVersion: STRIPE_API_VERSION,
      maxNetworkRetries: 0,
      timeout: ANSWER_MS_MAX,
      telemetry: false,
      ...(host === undefined ? {} : { host }),
      ...(port === undefined ? {} : { port }),
      ...(protocol === undefined ? {} : { protocol }),
    });
    this.#events = new StripeEventReader(this.#stripe, parts.log);
  }

  async checkout(input: CheckoutInput): Promise<Checkout> {
    const { payment, organization, email } = input;
    return await this.#sure(async (stripe) => {
      const customer =
        input.customer ??
        (
          await stripe.customers.create(
            // `email` is empty when there is no person to use the address of.
            { ...(email !== '' && { email }), metadata: { organization } },
            { idempotencyKey: `${payment}/customer` },
          )
        ).id;
      const session = await stripe.checkout.sessions.create(sessionAsk(input, customer), {
        idempotencyKey: `${payment}/checkout`,
      });
      if (session.url === null) throw new Error('Stripe created a checkout without a URL');
      return { url: session.url, reference: session.id, customer };
    });
  }

  async charge(input: ChargeInput): Promise<ChargeAnswer> {
    const { payment, organization, customer, method, amount } = input;
    return await this.#sure(async (stripe) => {
      // Search for an earlier charge, because Stripe forgets idempotency keys after a day and the
      // caller may have been away for longer.
      try {
        const before = await this.#chargeBefore(customer, payment);
        if (before) return answerOf(before);
        const intent = await stripe.paymentIntents.create(
          {
            amount: cents(amount),
            currency: 'usd',
            customer,
            payment_method: method,
            // Nobody is present to follow a redirect.
            automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
            confirm: true,
            off_session: true,
            description: 'Inference credit, automatic recharge',
            metadata: { payment, organization },
          },
          { idempotencyKey: payment },
        );
        return answerOf(intent);
      } catch (error) {
        if (!isDefinite(error)) throw error;
        return {
          kind: error.code === 'authentication_required' ? 'needs_confirmation' : 'declined',
          reference: error.payment_intent?.id ?? null,
          reason: error.message,
        };
      }
    });
  }

  async findCharge({
    payment,
    customer,
  }: Pick<ChargeInput, 'payment' | 'customer'>): Promise<ChargeAnswer | null> {
    return await this.#sure(async () => {
      try {
        const before = await this.#chargeBefore(customer, payment);
        return before && answerOf(before);
      } catch (error) {
        // A customer of another Stripe account has paid nothing at this one.
        if (isDefinite(error)) return null;
        throw error;
      }
    });
  }

  async refund({
    refund,
    reference,
    amount,
  }: RefundInput): Promise<'succeeded' | 'pending' | 'failed'> {
    const wanted = centsOf(amount);
    // No part of a cent can be paid out.
    if (wanted === null) return 'failed';
    return await this.#sure(async (stripe) => {
      try {
        const before = await this.#refundBefore(reference, refund);
        if (before) return refundState(before.status);
        const made = await stripe.refunds.create(
          { payment_intent: reference, amount: wanted, metadata: { refund } },
          { idempotencyKey: refund },
        );
        return refundState(made.status);
      } catch (error) {
        if (!isDefinite(error)) throw error;
        return 'failed';
      }
    });
  }

  async portal(input: Readonly<{ customer: string; returnUrl: string }>): Promise<string | null> {
    const { customer, returnUrl } = input;
    return await this.#sure(async (stripe) => {
      const session = await stripe.billingPortal.sessions.create({
        customer,
        return_url: returnUrl,
      });
      return session.url;
    });
  }

  async look(
    input: Readonly<{ payment: PaymentId; reference: string }>,
  ): ReturnType<PaymentProvider['look']> {
    const { payment, reference } = input;
    return await this.#sure(async () => {
      try {
        const told = await this.#events.readReference(reference);
        if (told === 'processing') return told;
        // Another payment's reference would be a bug of ours.
        return told && 'payment' in told && told.payment === payment ? told : null;
      } catch (error) {
        if (isMissing(error)) return 'unknown';
        throw error;
      }
    });
  }

  async read(body: Buffer, headers: IncomingHttpHeaders): Promise<ProviderEvent | null> {
    const event = await this.#verify(body, headers['stripe-signature']);
    return await this.#sure(() => this.#events.read(event));
  }

  async #verify(body: Buffer, signature: string | string[] | undefined): Promise<Stripe.Event> {
    const { webhookSecret, clock } = this.#parts;
    try {
      return await this.#stripe.webhooks.constructEventAsync(
        body,
        signature ?? '',
        webhookSecret,
        SIGNED_S_MAX,
        undefined,
        clock.now(),
      );
    } catch {
      // Stripe's own message would reveal what is wrong with the signature.
      throw new Refused('bad_request', 'The signature is not valid.');
    }
  }

  /** Calls Stripe. A thrown error quotes nothing of what was sent to Stripe. */
  async #sure<Answer>(ask: (stripe: Stripe) => Promise<Answer>): Promise<Answer> {
    try {
      return await ask(this.#stripe);
    } catch (error) {
      throw unknownOf(error);
    }
  }

  async #chargeBefore(customer: string, payment: PaymentId): Promise<Stripe.PaymentIntent | null> {
    const latest = await this.#stripe.paymentIntents.list({ customer, limit: LATEST_MAX });
    return latest.data.find(({ metadata }) => paymentOf(metadata) === payment) ?? null;
  }

  async #refundBefore(reference: string, refund: TransferId): Promise<Stripe.Refund | null> {
    const latest = await this.#stripe.refunds.list({
      payment_intent: reference,
      limit: LATEST_MAX,
    });
    return latest.data.find(({ metadata }) => metadata?.['refund'] === refund) ?? null;
  }
}

function sessionAsk(input: CheckoutInput, customer: string): Stripe.Checkout.SessionCreateParams {
  const { payment, organization, amount, keepMethod, successUrl, cancelUrl } = input;
  const metadata = { payment, organization };
  const common = {
    customer,
    client_reference_id: payment,
    metadata,
    success_url: successUrl,
    cancel_url: cancelUrl,
  };
  if (amount === null) {
    return { ...common, mode: 'setup', currency: 'usd', setup_intent_data: { metadata } };
  }
  return {
    ...common,
    mode: 'payment',
    // People pay in the currency that is credited.
    adaptive_pricing: { enabled: false },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: cents(amount),
          product_data: { name: 'Inference credit' },
        },
      },
    ],
    payment_intent_data: {
      metadata,
      ...(keepMethod ? { setup_future_usage: 'off_session' } : {}),
    },
  };
}

function cents(amount: PicoUsd): number {
  const whole = centsOf(amount);
  if (whole === null) throw new Error('an amount that is no whole number of cents cannot be paid');
  return whole;
}

function answerOf(intent: Stripe.PaymentIntent): ChargeAnswer {
  const { id: reference, status, last_payment_error: failure } = intent;
  const reason = failure?.message ?? failure?.code ?? status;
  if (status === 'succeeded') return { kind: 'succeeded', reference };
  if (status === 'requires_action' || failure?.code === 'authentication_required') {
    return { kind: 'needs_confirmation', reference, reason };
  }
  const isOver = status === 'requires_payment_method' || status === 'canceled';
  return isOver ? { kind: 'declined', reference, reason } : { kind: 'pending', reference };
}

function refundState(status: string | null): 'succeeded' | 'pending' | 'failed' {
  if (status === 'succeeded') return 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
}
