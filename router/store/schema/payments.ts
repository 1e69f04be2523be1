/** The tables of payments, their refunds, auto-recharge, and the sandbox that stands in for a provider. */
import type { OrganizationId, PaymentId, PersonId, TransferId } from '../../../shared/ids.ts';

/**
 * A payment as we began it: whatever a provider tells of it, whose it is stands here. Its states, and the one door
 * through which they change, are in `control/payments/states.ts`.
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
  /** When the provider was last asked to charge it; null: never, so that nothing can have been charged. */
  charge_asked: bigint | null;
  /** How often the provider was asked about it. */
  asks: bigint;
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
  /** When the provider was last asked to pay it out; null: never. */
  asked: bigint | null;
  /** How often it was asked. */
  asks: bigint;
  /** When it is to be asked next; null: it is decided. */
  look_at: bigint | null;
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

/** An address that has had the welcome credit: a keyed digest, and nothing that says whose it was. */
export interface WelcomeRow {
  address: string;
  created: bigint;
}

/** Who signed up and has the welcome credit once their address is confirmed. */
export interface WelcomeClaimRow {
  person: PersonId;
  organization: OrganizationId;
  /** A keyed digest of the network that they signed up from. */
  network: string;
  created: bigint;
}

/** The answer to a mutation that moved money, for whoever sends the same again. */
export interface IdempotencyKeyRow {
  /** Keyed, of who sent the header and what it said. */
  digest: string;
  /** Keyed, of the route, its path and its body. */
  request: string;
  /** JSON; amounts are marked, as JSON has no bigint. */
  answer: string;
  created: bigint;
}
