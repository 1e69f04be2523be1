/**
 * What a payment provider does for us: Stripe, or the built-in sandbox. Nothing is believed that comes back with a
 * person's browser: credit moves when the provider tells us so, as an event, or answers our own question.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { OrganizationId, PaymentId, TransferId } from '../../../shared/ids.ts';
import type { PicoUsd } from '../../../shared/money.ts';

/** A means of payment that the provider keeps for an organization: we have its id, and what people know it by. */
export type Method = Readonly<{ id: string; label: string }>;

export type CheckoutAsk = Readonly<{
  payment: PaymentId;
  organization: OrganizationId;
  /** The provider's own id of the organization; null: it does not know it yet. */
  customer: string | null;
  email: string;
  /** Null: nothing is paid, a means of payment is to be kept for later. */
  amount: PicoUsd | null;
  /** Whether the means of payment is to be kept for auto-recharge. */
  keepMethod: boolean;
  /** Where the person's browser goes afterwards. */
  successUrl: string;
  cancelUrl: string;
}>;

/** `reference`: the checkout, as the provider calls it. */
export type Checkout = Readonly<{ url: string; reference: string; customer: string | null }>;

export type ChargeAsk = Readonly<{
  /** Also the idempotency key: asked again, the same payment is meant. */
  payment: PaymentId;
  organization: OrganizationId;
  customer: string;
  method: string;
  amount: PicoUsd;
}>;

export type ChargeAnswer =
  | Readonly<{ kind: 'succeeded'; reference: string }>
  /** Its event will tell. */
  | Readonly<{ kind: 'pending'; reference: string }>
  /** `needs_confirmation`: the bank wants its customer to confirm, who is not there. */
  | Readonly<{
      kind: 'declined' | 'needs_confirmation';
      reference: string | null;
      reason: string;
    }>;

export type RefundAsk = Readonly<{
  /** Also the idempotency key. */
  refund: TransferId;
  /** The payment, as the provider calls it. */
  reference: string;
  amount: PicoUsd;
}>;

/** What a provider tells us. `event` is its own id of the telling: the same each time that it is told. */
export type ProviderEvent = Readonly<{ event: string }> &
  (
    | Readonly<{
        kind: 'paid';
        payment: PaymentId;
        /** The payment, as the provider calls it: refunds and disputes name it. */
        reference: string;
        amount: PicoUsd;
        customer: string | null;
        method: Method | null;
      }>
    | Readonly<{ kind: 'payment_failed'; payment: PaymentId; reason: string }>
    /** The checkout was left or has run out. */
    | Readonly<{ kind: 'checkout_expired'; payment: PaymentId }>
    | Readonly<{ kind: 'method_kept'; payment: PaymentId; customer: string; method: Method }>
    | Readonly<{ kind: 'method_removed'; customer: string; method: string }>
    /** The payer's bank took the payment back, or gave it back to us. */
    | Readonly<{ kind: 'disputed' | 'dispute_won'; reference: string; amount: PicoUsd }>
    /** Made at the provider's, not by us, where `refund` is null. */
    | Readonly<{
        kind: 'refunded';
        refund: TransferId | null;
        reference: string;
        amount: PicoUsd;
      }>
    | Readonly<{
        kind: 'refund_failed';
        /** Does nothing where somebody has already said what became of the refund. */
        onlyPending?: true;
        refund: TransferId | null;
        reference: string;
        amount: PicoUsd;
      }>
  );

export interface PaymentProvider {
  readonly name: 'sandbox' | 'stripe';
  /** A page of the provider's, where a person pays. */
  checkout(ask: CheckoutAsk): Promise<Checkout>;
  /** Charges a kept means of payment with nobody there. Rejects where it is not known whether it has. */
  charge(ask: ChargeAsk): Promise<ChargeAnswer>;
  /** What became of a charge that may have been asked for; null: there is none. Rejects where that is not known. */
  findCharge(ask: Pick<ChargeAsk, 'payment' | 'customer'>): Promise<ChargeAnswer | null>;
  /** Pays out what has left the balance. `failed`: it refuses. Rejects where that is not known. */
  refund(ask: RefundAsk): Promise<'succeeded' | 'pending' | 'failed'>;
  /** A page where a person manages what the provider keeps; null: it has none. */
  portal(ask: Readonly<{ customer: string; returnUrl: string }>): Promise<string | null>;
  /**
   * What became of a payment that was begun and not told of. Null: nothing yet. `processing`: the payer has done what
   * there is to do, and the money is on its way or not. `unknown`: this account of the provider's has no such payment.
   */
  look(
    ask: Readonly<{ payment: PaymentId; reference: string }>,
  ): Promise<ProviderEvent | 'processing' | 'unknown' | null>;
  /**
   * Reads what was sent to the webhook. Null: of no interest to us. Throws Refused where the signature is not the
   * provider's.
   */
  read(body: Buffer, headers: IncomingHttpHeaders): Promise<ProviderEvent | null>;
}
