/**
 * Translates Stripe's events. They may be late, duplicated and out of order, and several may report
 * the same thing. The translated event is therefore named after the payment, refund or dispute that
 * it is about, so that it counts once whichever arrives first.
 */
import type { Stripe } from 'stripe';
import { PaymentIdText } from '../../../shared/api/ids.ts';
import type { PaymentId, TransferId } from '../../../shared/ids.ts';
import type { Log } from '../../../shared/log.ts';
import { fromCents } from './cents.ts';
import type { Method, ProviderEvent } from './provider.ts';
import { isDefinite } from './stripe-errors.ts';

type Read = Promise<ProviderEvent | null>;

/**
 * Dispute statuses in which the bank has taken the money, contested or not. An inquiry
 * (`warning_…`) takes nothing.
 */
const TAKEN_BY_BANK = new Set<string>([
  'needs_response',
  'under_review',
  'lost',
  'appeal_needs_response',
  'appeal_under_review',
]);

const REFUND = /^trf_[0-9a-z]{26}$/;

/**
 * Returns our payment's id from the metadata of a Stripe object, or null when the object is not
 * ours.
 */
export function paymentOf(metadata: Stripe.Metadata | null): PaymentId | null {
  return PaymentIdText.safeParse(metadata?.['payment']).data ?? null;
}

export class StripeEventReader {
  readonly #stripe: Stripe;
  readonly #log: Log;

  constructor(stripe: Stripe, log: Log) {
    this.#stripe = stripe;
    this.#log = log;
  }

  /** Translates an event. Returns null when it is not relevant. */
  async read(event: Stripe.Event): Read {
    // Stripe has hundreds of event types; only these are relevant.
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check
    switch (event.type) {
      case 'checkout.session.completed':
      case 'checkout.session.async_payment_succeeded':
      case 'checkout.session.async_payment_failed':
      case 'checkout.session.expired':
        return await this.#readSession(event.data.object);
      case 'payment_intent.succeeded':
      case 'payment_intent.payment_failed':
      case 'payment_intent.canceled':
        return await this.#readIntent(event.data.object);
      case 'setup_intent.succeeded':
        return await this.#readSetup(event.data.object);
      case 'charge.refunded':
        return await this.#readRefunded(event.data.object);
      case 'refund.created':
      case 'refund.updated':
      case 'refund.failed':
      case 'charge.refund.updated':
        return await this.#readRefund(event.data.object);
      case 'charge.dispute.created':
      case 'charge.dispute.updated':
      case 'charge.dispute.closed':
      case 'charge.dispute.funds_withdrawn':
      case 'charge.dispute.funds_reinstated':
        return await this.#readDispute(event.data.object);
      case 'payment_method.detached':
        return readDetached(event);
      default:
        return null;
    }
  }

  /**
   * Looks up the id of a checkout or a payment and translates its state. Returns `processing` when
   * the money is on its way through a bank that takes days, and null when nothing has happened yet.
   */
  async readReference(reference: string): Promise<ProviderEvent | 'processing' | null> {
    const named = reference.startsWith('cs_') ? await this.#intentOfSession(reference) : reference;
    if (typeof named !== 'string') return await this.#readSession(named);
    const intent = await this.#stripe.paymentIntents.retrieve(named);
    return intent.status === 'processing' ? 'processing' : await this.#readIntent(intent);
  }

  /**
   * Returns the id of the session's payment intent, or the session itself when nothing is paid by
   * it (yet).
   */
  async #intentOfSession(id: string): Promise<string | Stripe.Checkout.Session> {
    const session = await this.#stripe.checkout.sessions.retrieve(id);
    const isPaid = session.status === 'complete' && session.mode === 'payment';
    return (isPaid ? idOf(session.payment_intent) : null) ?? session;
  }

  async #readSession(session: Stripe.Checkout.Session): Read {
    const payment = paymentOf(session.metadata);
    if (payment === null) return null;
    const { id, status, mode } = session;
    if (status === 'expired') return { event: `expired:${id}`, kind: 'checkout_expired', payment };
    if (status !== 'complete') return null;
    if (mode === 'setup') {
      const setup = idOf(session.setup_intent);
      return setup === null
        ? null
        : await this.#readSetup(await this.#stripe.setupIntents.retrieve(setup));
    }
    const reference = idOf(session.payment_intent);
    if (reference === null) return null;
    return await this.#readIntent(await this.#stripe.paymentIntents.retrieve(reference));
  }

  async #readIntent(intent: Stripe.PaymentIntent): Read {
    const payment = paymentOf(intent.metadata);
    if (payment === null) return null;
    if (intent.status === 'succeeded') {
      if (!this.#isUsd(intent)) return null;
      const { id: reference, setup_future_usage: keeps } = intent;
      return {
        event: `paid:${reference}`,
        kind: 'paid',
        payment,
        reference,
        amount: fromCents(intent.amount_received),
        customer: idOf(intent.customer),
        method: keeps === 'off_session' ? await this.#methodOf(intent.payment_method) : null,
      };
    }
    // In a checkout, a declined card is not final: a later success still counts.
    return hasFailed(intent) ? failed(payment, intent) : null;
  }

  async #readSetup(intent: Stripe.SetupIntent): Read {
    const payment = paymentOf(intent.metadata);
    const customer = idOf(intent.customer);
    if (payment === null || customer === null || intent.status !== 'succeeded') return null;
    const method = await this.#methodOf(intent.payment_method);
    return method && { event: `kept:${intent.id}`, kind: 'method_kept', payment, customer, method };
  }

  /** Returns null when there is no payment method, or it has been detached since. */
  async #methodOf(named: string | Stripe.PaymentMethod | null): Promise<Method | null> {
    const id = idOf(named);
    if (id === null) return null;
    try {
      const method = await this.#stripe.paymentMethods.retrieve(id);
      return idOf(method.customer) === null ? null : { id, label: labelOf(method) };
    } catch (error) {
      if (isDefinite(error)) return null;
      throw error;
    }
  }

  /** The event contains the charge, but not which of its refunds is new. */
  async #readRefunded({ id }: Stripe.Charge): Read {
    const latest = await this.#stripe.refunds.list({ charge: id, limit: 1 });
    const refund = latest.data[0];
    return refund && !hasComeBack(refund) ? await this.#readRefund(refund) : null;
  }

  async #readRefund(made: Stripe.Refund): Read {
    const reference = await this.#ours(made);
    if (reference === null) return null;
    const named = made.metadata?.['refund'] ?? '';
    const refund = REFUND.test(named) ? (named as TransferId) : null;
    const about = { refund, reference, amount: fromCents(made.amount) };
    if (hasComeBack(made)) {
      return { event: `refund_failed:${made.id}`, kind: 'refund_failed', ...about };
    }
    // The balance already knows of our own refund. It must learn at once of one that was made at
    // Stripe.
    if (refund !== null && made.status !== 'succeeded') return null;
    return { event: `refunded:${made.id}`, kind: 'refunded', ...about };
  }

  async #readDispute(dispute: Stripe.Dispute): Read {
    const reference = await this.#ours(dispute);
    if (reference === null) return null;
    const { id, status, amount } = dispute;
    const about = { reference, amount: fromCents(amount) };
    if (status === 'won') return { event: `dispute_won:${id}`, kind: 'dispute_won', ...about };
    return TAKEN_BY_BANK.has(status)
      ? { event: `disputed:${id}`, kind: 'disputed', ...about }
      : null;
  }

  /**
   * Returns the payment that was refunded or disputed, or null when it is not ours; the Stripe
   * account may serve other purposes too.
   */
  async #ours(
    taken: Readonly<{
      id: string;
      currency: string;
      payment_intent: string | Stripe.PaymentIntent | null;
    }>,
  ): Promise<string | null> {
    const reference = idOf(taken.payment_intent);
    if (reference === null) return null;
    const { metadata } = await this.#stripe.paymentIntents.retrieve(reference);
    return paymentOf(metadata) !== null && this.#isUsd(taken) ? reference : null;
  }

  /**
   * We charge only in US dollars. Another currency is logged as an error, for a person to look at.
   */
  #isUsd({ id, currency }: Readonly<{ id: string; currency: string }>): boolean {
    if (currency === 'usd') return true;
    this.#log.error(
      { stripe: id, currency },
      'Stripe reported an amount that was not in US dollars',
    );
    return false;
  }
}

/** Whether the refund could not be paid out, and the money is back with us. */
function hasComeBack({ status }: Stripe.Refund): boolean {
  return status === 'failed' || status === 'canceled';
}

function readDetached(event: Stripe.PaymentMethodDetachedEvent): ProviderEvent | null {
  const before = event.data.previous_attributes?.customer ?? null;
  const customer = idOf(before);
  if (customer === null) return null;
  const { id: method } = event.data.object;
  return { event: `detached:${method}`, kind: 'method_removed', customer, method };
}

function hasFailed({ status, last_payment_error: failure }: Stripe.PaymentIntent): boolean {
  return status === 'canceled' || (status === 'requires_payment_method' && failure !== null);
}

function failed(payment: PaymentId, intent: Stripe.PaymentIntent): ProviderEvent {
  const { id, status, latest_charge: attempt, last_payment_error: failure } = intent;
  return {
    event: `failed:${id}:${idOf(attempt) ?? failure?.code ?? status}`,
    kind: 'payment_failed',
    payment,
    reason: failure?.message ?? failure?.code ?? status,
  };
}

function idOf(named: string | Readonly<{ id: string }> | null): string | null {
  return typeof named === 'string' ? named : (named?.id ?? null);
}

function labelOf({ type, card, us_bank_account: bank, sepa_debit: sepa }: Stripe.PaymentMethod) {
  if (card) return `${card.brand} •••• ${card.last4}`;
  if (bank) return `${bank.bank_name ?? 'Bank account'} •••• ${bank.last4 ?? ''}`;
  return sepa ? `SEPA •••• ${sepa.last4 ?? ''}` : type;
}
