/**
 * The interface of a payment provider: Stripe, or the built-in sandbox. Nothing that a person's
 * browser brings back is trusted. Credit moves only when the provider sends an event or answers our
 * own lookup.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { OrganizationId, PaymentId, TransferId } from '../../../shared/ids.ts';
import type { PicoUsd } from '../../../shared/money.ts';

/**
 * A payment method that the provider saves for an organization: its id, and the label that people
 * know it by.
 */
export type Method = Readonly<{ id: string; label: string }>;

export type CheckoutInput = Readonly<{
  payment: PaymentId;
  organization: OrganizationId;
  /** The provider's customer id of the organization; null when it has none yet. */
  customer: string | null;
  email: string;
  /** Null when nothing is paid and the checkout only saves a payment method. */
  amount: PicoUsd | null;
  /** Whether to save the payment method for auto-recharge. */
  keepMethod: boolean;
  /** Where the person's browser is sent afterwards. */
  successUrl: string;
  cancelUrl: string;
}>;

/** `reference`: the provider's id of the checkout. */
export type Checkout = Readonly<{ url: string; reference: string; customer: string | null }>;

export type ChargeInput = Readonly<{
  /** Also the idempotency key: a repeated call refers to the same payment. */
  payment: PaymentId;
  organization: OrganizationId;
  customer: string;
  method: string;
  amount: PicoUsd;
}>;

export type ChargeAnswer =
  | Readonly<{ kind: 'succeeded'; reference: string }>
  /** An event will report the result. */
  | Readonly<{ kind: 'pending'; reference: string }>
  /** `needs_confirmation`: the bank wants its customer to confirm, but nobody is present. */
  | Readonly<{
      kind: 'declined' | 'needs_confirmation';
      reference: string | null;
      reason: string;
    }>;

export type RefundInput = Readonly<{
  /** Also the idempotency key. */
  refund: TransferId;
  /** The provider's id of the payment. */
  reference: string;
  amount: PicoUsd;
}>;

/**
 * An event from a provider. `event` identifies what happened, and is the same each time the
 * provider reports it.
 */
export type ProviderEvent = Readonly<{ event: string }> &
  (
    | Readonly<{
        kind: 'paid';
        payment: PaymentId;
        /** The provider's id of the payment, which refunds and disputes refer to. */
        reference: string;
        amount: PicoUsd;
        customer: string | null;
        method: Method | null;
      }>
    | Readonly<{ kind: 'payment_failed'; payment: PaymentId; reason: string }>
    /** The checkout was abandoned or has expired. */
    | Readonly<{ kind: 'checkout_expired'; payment: PaymentId }>
    | Readonly<{ kind: 'method_kept'; payment: PaymentId; customer: string; method: Method }>
    | Readonly<{ kind: 'method_removed'; customer: string; method: string }>
    /**
     * The payer's bank withdrew the payment (`disputed`), or returned it to us (`dispute_won`).
     */
    | Readonly<{ kind: 'disputed' | 'dispute_won'; reference: string; amount: PicoUsd }>
    /** `refund` is null when the refund was made at the provider, not by us. */
    | Readonly<{
        kind: 'refunded';
        refund: TransferId | null;
        reference: string;
        amount: PicoUsd;
      }>
    | Readonly<{
        kind: 'refund_failed';
        /** When set, the event is ignored unless the refund is still pending. */
        onlyPending?: true;
        refund: TransferId | null;
        reference: string;
        amount: PicoUsd;
      }>
  );

/**
 * `event`: a provider reported something unexpected. `undecided`: a provider does not report a
 * result. `refund_failed`: a provider could not pay out a refund, so that its payer still waits for
 * it; its amount went back to the balance.
 */
export type PaymentAlarm = 'event' | 'undecided' | 'refund_failed';

export interface PaymentProvider {
  readonly name: 'sandbox' | 'stripe';
  /** Creates the provider's page on which a person pays. */
  checkout(input: CheckoutInput): Promise<Checkout>;
  /**
   * Charges a saved payment method off-session. Rejects when it is unknown whether the charge was
   * made.
   */
  charge(input: ChargeInput): Promise<ChargeAnswer>;
  /**
   * Looks up a charge that may have been requested. Returns null when there is none. Rejects when
   * that is unknown.
   */
  findCharge(input: Pick<ChargeInput, 'payment' | 'customer'>): Promise<ChargeAnswer | null>;
  /**
   * Pays out an amount that was debited from the balance. `failed`: the provider refuses. Rejects
   * when the result is unknown.
   */
  refund(input: RefundInput): Promise<'succeeded' | 'pending' | 'failed'>;
  /**
   * Creates a page on which a person manages saved payment methods; null when the provider has
   * none.
   */
  portal(input: Readonly<{ customer: string; returnUrl: string }>): Promise<string | null>;
  /**
   * Looks up a payment without a known result. Returns null when nothing has happened yet,
   * `processing` when the payer is done and the result is pending, and `unknown` when this account
   * at the provider has no such payment.
   */
  look(
    input: Readonly<{ payment: PaymentId; reference: string }>,
  ): Promise<ProviderEvent | 'processing' | 'unknown' | null>;
  /**
   * Parses a webhook request. Returns null for an event that is not relevant. Throws `Refused` when
   * the signature is not the provider's.
   */
  read(body: Buffer, headers: IncomingHttpHeaders): Promise<ProviderEvent | null>;
}
