/**
 * The state of one Stripe account: its objects, and how they change when a person pays, a bank
 * takes money back, or somebody works in Stripe's dashboard. Each change emits an event with a
 * snapshot of the object.
 */
import { randomBytes } from 'node:crypto';

// Stripe's own objects have hundreds of fields. These have only the fields that are read.
// oxlint-disable-next-line typescript/no-explicit-any
export type StripeObject = { id: string; object: string } & Record<string, any>;

export type StripeEvent = Readonly<{
  id: string;
  object: 'event';
  type: string;
  api_version: string;
  created: number;
  data: Readonly<{ object: StripeObject; previous_attributes?: object }>;
}>;

export type Metadata = Record<string, string>;

/** What each of Stripe's test card numbers does. */
export const CARDS = {
  '4242424242424242': { present: 'succeeds', absent: 'succeeds' },
  '4000000000000002': { present: 'declines', absent: 'declines' },
  /** The card can be saved, and is declined whenever it is charged later. */
  '4000000000000341': { present: 'succeeds', absent: 'declines' },
  /** The bank requires its customer to confirm each payment. */
  '4000002760003184': { present: 'confirms', absent: 'needs_confirmation' },
  /** A bank account, not a card: its payments succeed or fail days later. */
  '000123456789': { present: 'waits', absent: 'waits' },
} as const;
export type Card = keyof typeof CARDS;

const LATER_S = 24 * 60 * 60;

/** An error response in Stripe's format. `intent` is the payment that was refused. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, type: string, code: string, message: string, intent?: StripeObject) {
    super(message);
    this.status = status;
    this.body = { error: { type, code, message, ...(intent && { payment_intent: intent }) } };
  }
}

export class StripeAccount {
  readonly objects = new Map<string, StripeObject>();
  readonly events: StripeEvent[] = [];
  readonly #now: () => number;
  readonly #apiVersion: string;
  readonly #onEvent: (event: StripeEvent) => void;

  constructor(
    parts: Readonly<{
      now: () => number;
      apiVersion: string;
      onEvent: (event: StripeEvent) => void;
    }>,
  ) {
    this.#now = parts.now;
    this.#apiVersion = parts.apiVersion;
    this.#onEvent = parts.onEvent;
  }

  /** Lists objects newest first, as Stripe does. */
  list(object: string, where: (one: StripeObject) => boolean): StripeObject[] {
    return [...this.objects.values()]
      .filter((one) => one.object === object && where(one))
      .toReversed();
  }

  find(id: string): StripeObject {
    const one = this.objects.get(id);
    if (one) return one;
    throw new StripeRefusal(
      404,
      'invalid_request_error',
      'resource_missing',
      `No such id: '${id}'`,
    );
  }

  add(prefix: string, object: string, fields: object): StripeObject {
    const id = `${prefix}_${randomBytes(12).toString('hex')}`;
    const made = { id, object, created: this.#seconds(), livemode: false, ...fields };
    this.objects.set(id, made);
    return made;
  }

  /** A person pays on the checkout page, or saves a card there. */
  pay(session: string, card: Card = '4242424242424242'): 'succeeded' | 'declined' | 'pending' {
    const checkout = this.find(session);
    if (checkout['status'] !== 'open') throw new Error(`${session} is ${checkout['status']}`);
    const does = CARDS[card].present;
    if (checkout['mode'] === 'setup') {
      if (does === 'declines') return 'declined';
      this.#keep(checkout, card);
      return 'succeeded';
    }
    const intent = this.#intentOf(checkout);
    intent['payment_method'] = this.#method(card, intent).id;
    if (does === 'declines') {
      this.#decline(intent, 'card_declined', 'Your card was declined.');
      return 'declined';
    }
    Object.assign(checkout, { status: 'complete', url: null });
    if (does === 'waits') {
      intent['status'] = 'processing';
      this.tell('checkout.session.completed', checkout);
      this.tell('payment_intent.processing', intent);
      return 'pending';
    }
    checkout['payment_status'] = 'paid';
    this.#succeed(intent);
    this.tell('checkout.session.completed', checkout);
    return 'succeeded';
  }

  /** Ends a pending payment: the money arrived, or it did not. */
  settle(intent: string, end: 'succeeds' | 'fails'): void {
    const waiting = this.find(intent);
    const [checkout] = this.list('checkout.session', (one) => one['payment_intent'] === intent);
    if (end === 'fails') {
      this.#decline(waiting, 'payment_method_provider_decline', 'The bank did not pay.');
      if (checkout) this.tell('checkout.session.async_payment_failed', checkout);
      return;
    }
    this.#succeed(waiting);
    if (!checkout) return;
    checkout['payment_status'] = 'paid';
    this.tell('checkout.session.async_payment_succeeded', checkout);
  }

  expire(session: string): void {
    const checkout = this.find(session);
    Object.assign(checkout, { status: 'expired', url: null });
    this.tell('checkout.session.expired', checkout);
  }

  /**
   * Charges a saved card without the customer present. Throws StripeRefusal when the card is
   * declined.
   */
  charge(fields: object, method: StripeObject): StripeObject {
    const intent = this.add('pi', 'payment_intent', {
      ...intentFields(fields),
      payment_method: method.id,
      setup_future_usage: null,
    });
    const does = CARDS[method['card_number'] as Card].absent;
    if (does === 'waits') {
      intent['status'] = 'processing';
      return intent;
    }
    if (does === 'succeeds') {
      this.#succeed(intent);
      return intent;
    }
    const [code, message] =
      does === 'declines'
        ? ['card_declined', 'Your card was declined.']
        : ['authentication_required', 'Your card was declined: it requires authentication.'];
    this.#decline(intent, code, message);
    throw new StripeRefusal(402, 'card_error', code, message, structuredClone(intent));
  }

  /** A refund that Penstock made has metadata. One that was made in Stripe's dashboard has none. */
  refund(
    intent: string,
    cents: number,
    metadata: Metadata = {},
    status: 'succeeded' | 'pending' = 'succeeded',
  ): StripeObject {
    const paid = this.find(intent);
    const charge = this.find(String(paid['latest_charge']));
    if (charge['amount_refunded'] + cents > charge['amount']) {
      const message = 'Refund amount is greater than unrefunded amount on charge.';
      throw new StripeRefusal(400, 'invalid_request_error', 'charge_already_refunded', message);
    }
    charge['amount_refunded'] += cents;
    const made = this.add('re', 'refund', {
      amount: cents,
      currency: 'usd',
      charge: charge.id,
      payment_intent: intent,
      metadata,
      status,
    });
    this.tell('refund.created', made);
    this.tell('charge.refunded', charge);
    return made;
  }

  /** The bank rejects the refund. */
  failRefund(refund: string): void {
    const made = this.find(refund);
    Object.assign(made, { status: 'failed', failure_reason: 'lost_or_stolen_card' });
    this.find(String(made['charge']))['amount_refunded'] -= made['amount'];
    this.tell('refund.updated', made);
    this.tell('refund.failed', made);
  }

  dispute(intent: string, cents: number, status = 'needs_response'): StripeObject {
    const made = this.add('dp', 'dispute', {
      amount: cents,
      currency: 'usd',
      charge: this.find(intent)['latest_charge'],
      payment_intent: intent,
      metadata: {},
      status,
    });
    this.tell('charge.dispute.created', made);
    if (!status.startsWith('warning_')) this.tell('charge.dispute.funds_withdrawn', made);
    return made;
  }

  closeDispute(dispute: string, status: 'won' | 'lost' | 'warning_closed'): void {
    const made = this.find(dispute);
    made['status'] = status;
    this.tell('charge.dispute.closed', made);
    if (status === 'won') this.tell('charge.dispute.funds_reinstated', made);
  }

  detach(method: string): void {
    const kept = this.find(method);
    const { customer } = kept;
    kept['customer'] = null;
    this.tell('payment_method.detached', kept, { customer });
  }

  tell(type: string, object: StripeObject, before?: object): void {
    const event: StripeEvent = {
      id: `evt_${randomBytes(12).toString('hex')}`,
      object: 'event',
      type,
      api_version: this.#apiVersion,
      created: this.#seconds(),
      data: {
        object: structuredClone(object),
        ...(before && { previous_attributes: before }),
      },
    };
    this.events.push(event);
    this.#onEvent(event);
  }

  /** The time at which a checkout that starts now expires, in seconds since the epoch. */
  get later(): number {
    return this.#seconds() + LATER_S;
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000);
  }

  #intentOf(checkout: StripeObject): StripeObject {
    if (checkout['payment_intent'] !== null) return this.find(String(checkout['payment_intent']));
    const { amount_total: amount, customer, payment_intent_data: data } = checkout;
    const made = this.add('pi', 'payment_intent', {
      ...intentFields({ amount, customer, metadata: data.metadata ?? {} }),
      setup_future_usage: data.setup_future_usage ?? null,
    });
    checkout['payment_intent'] = made.id;
    return made;
  }

  #keep(checkout: StripeObject, card: Card): void {
    const { customer, setup_intent_data: data } = checkout;
    const setup = this.add('seti', 'setup_intent', {
      customer,
      metadata: data?.metadata ?? {},
      status: 'succeeded',
    });
    setup['payment_method'] = this.#method(card, {
      ...setup,
      setup_future_usage: 'off_session',
    }).id;
    const payment_status = 'no_payment_required';
    Object.assign(checkout, {
      status: 'complete',
      url: null,
      payment_status,
      setup_intent: setup.id,
    });
    this.tell('setup_intent.succeeded', setup);
    this.tell('checkout.session.completed', checkout);
  }

  #method(card: Card, { customer, setup_future_usage: keeps }: StripeObject): StripeObject {
    return this.add('pm', 'payment_method', {
      type: 'card',
      card: { brand: 'visa', last4: card.slice(-4) },
      // Only the stand-in keeps the number. Stripe shows it to nobody.
      card_number: card,
      customer: keeps === 'off_session' ? customer : null,
    });
  }

  #attempt(intent: StripeObject, status: 'succeeded' | 'failed'): void {
    const { amount, customer } = intent;
    const charge = this.add('ch', 'charge', {
      amount,
      amount_refunded: 0,
      currency: 'usd',
      customer,
      payment_intent: intent.id,
      status,
    });
    intent['latest_charge'] = charge.id;
  }

  #succeed(intent: StripeObject): void {
    this.#attempt(intent, 'succeeded');
    Object.assign(intent, {
      status: 'succeeded',
      amount_received: intent['amount'],
      last_payment_error: null,
    });
    this.tell('payment_intent.succeeded', intent);
  }

  #decline(intent: StripeObject, code: string, message: string): void {
    this.#attempt(intent, 'failed');
    Object.assign(intent, {
      status: 'requires_payment_method',
      payment_method: null,
      last_payment_error: { type: 'card_error', code, message },
    });
    this.tell('payment_intent.payment_failed', intent);
  }
}

function intentFields(fields: object): object {
  return {
    amount_received: 0,
    currency: 'usd',
    last_payment_error: null,
    latest_charge: null,
    status: 'requires_payment_method',
    ...fields,
  };
}
