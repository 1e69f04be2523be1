/** The tables of payments, their refunds, auto-recharge, and the sandbox that stands in for a provider. */
import type { OrganizationId, PaymentId, PersonId, TransferId } from '../../../shared/ids.ts';

/**
 * A payment as we began it: whatever a provider tells of it, whose it is stands here.
 *
 *   open ──▶ pending ──▶ succeeded      open, pending ──▶ failed, expired ──▶ succeeded: money that comes late
 */
export interface PaymentRow {
  id: PaymentId;
  organization: OrganizationId;
  provider: string;
  /** `setup`: nothing is paid, a means of payment is kept for later. */
  purpose: 'top-up' | 'recharge' | 'setup';
  state: 'open' | 'pending' | 'succeeded' | 'failed' | 'expired';
  /** What was asked for; null for a setup. */
  amount: bigint | null;
  /** 1: the means of payment is kept for auto-recharge. */
  keep_method: bigint;
  /** What a recharge is charged to: the same each time that it is asked for. */
  customer: string | null;
  method: string | null;
  /** The checkout, and the payment, as the provider calls them. */
  checkout: string | null;
  reference: string | null;
  /** What really came, and what of it has gone again. */
  paid: bigint | null;
  refunded: bigint;
  disputed: bigint;
  /** Why it failed. */
  reason: string | null;
  transfer: TransferId | null;
  /** Numbers an organization's receipts from 1, without gaps; once given it stays. */
  receipt: bigint | null;
  person: PersonId | null;
  /** A digest of the header's. */
  idempotency_key: string | null;
  /** When the provider is to be asked what became of it; null: all is known. */
  look_at: bigint | null;
  created: bigint;
  ended: bigint | null;
}

export interface RefundRow {
  /** Of the transfer that took it off the balance. */
  id: TransferId;
  payment: PaymentId;
  organization: OrganizationId;
  amount: bigint;
  state: 'pending' | 'succeeded' | 'failed';
  /** `told`: it was made at the provider's. `owed`: so, and beyond what was left of the balance. */
  taken_as: 'asked' | 'told' | 'owed';
  reason: string;
  person: PersonId | null;
  created: bigint;
  ended: bigint | null;
}

/** An organization as a provider knows it, and the means of payment that the provider keeps for it. */
export interface PaymentCustomerRow {
  organization: OrganizationId;
  provider: string;
  customer: string;
  method: string | null;
  method_label: string | null;
}

export interface RechargeRow {
  organization: OrganizationId;
  /** 1 while it is wanted. */
  enabled: bigint;
  threshold: bigint;
  amount: bigint;
  monthly_cap: bigint | null;
  /** The one that is under way. */
  payment: PaymentId | null;
  /** How many have failed since one succeeded. */
  failures: bigint;
  /** When it was paused, for having failed too often. */
  paused: bigint | null;
  /** When the last one was started. */
  started: bigint | null;
  /** After a failure, and when the cap is reached: not before this. */
  waits_until: bigint | null;
}

export interface SandboxCheckoutRow {
  digest: string;
  payment: PaymentId;
  customer: string;
  amount: bigint | null;
  keep_method: bigint;
  state: 'open' | 'paid';
  /** Which card waits for its confirmation. */
  card: string | null;
  /** Why the last card was declined. */
  declined: string | null;
  success_url: string;
  cancel_url: string;
  expires: bigint;
}

export interface SandboxMethodRow {
  id: string;
  customer: string;
  card: string;
}

/** By payment, so that one that is asked for again is answered as before. */
export interface SandboxChargeRow {
  payment: PaymentId;
  reference: string;
  customer: string;
  method: string | null;
  card: string;
  amount: bigint;
  /** Why nothing was paid; null: it was. */
  declined: string | null;
}

export interface SandboxRefundRow {
  refund: TransferId;
  reference: string;
  amount: bigint;
}
