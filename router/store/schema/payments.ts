/**
 * The tables of payments, their refunds, auto-recharge, and the sandbox that replaces a provider.
 */
import type { OrganizationId, PaymentId, PersonId, TransferId } from '../../../shared/ids.ts';

export interface PaymentTables {
  payments: PaymentRow;
  refunds: RefundRow;
  billing_details: BillingDetailsRow;
  budgets: BudgetRow;
  payment_customers: PaymentCustomerRow;
  recharges: RechargeRow;
  sandbox_checkouts: SandboxCheckoutRow;
  sandbox_methods: SandboxMethodRow;
  sandbox_charges: SandboxChargeRow;
  sandbox_refunds: SandboxRefundRow;
  welcomes: WelcomeRow;
  welcome_claims: WelcomeClaimRow;
  idempotency_keys: IdempotencyKeyRow;
}

/**
 * A payment as we began it. It belongs to the organization in this row, whatever a provider
 * reports. Its states, and the only functions that change them, are in
 * `control/payments/states.ts`.
 */
export interface PaymentRow {
  id: PaymentId;
  organization: OrganizationId;
  provider: string;
  /** `setup`: nothing is paid; a means of payment is kept for later. */
  purpose: 'top-up' | 'recharge' | 'setup';
  state: 'open' | 'pending' | 'succeeded' | 'failed' | 'expired';
  /** The requested amount; null for a setup. */
  amount: bigint | null;
  /** 1: the means of payment is kept for auto-recharge. */
  keep_method: bigint;
  /** What a recharge is charged to: the same at each attempt. */
  customer: string | null;
  method: string | null;
  /** The provider's names of the checkout and of the payment. */
  checkout: string | null;
  reference: string | null;
  /** The amount really paid, and how much of it was refunded or is disputed. */
  paid: bigint | null;
  refunded: bigint;
  disputed: bigint;
  /** Why it failed. */
  reason: string | null;
  transfer: TransferId | null;
  /**
   * Numbers an organization's receipts from 1, without gaps. It is the number of the receipt only if
   * `receipt_number` is null, because an earlier version of Penstock issued it.
   */
  receipt: bigint | null;
  /** Numbers the receipts of a series from 1, without gaps; once given, both stay. */
  receipt_series: string | null;
  receipt_number: bigint | null;
  /** JSON: the parties as they were when the receipt was issued; null: not known. */
  seller: string | null;
  buyer: string | null;
  person: PersonId | null;
  /** A digest of the request's Idempotency-Key header. */
  idempotency_key: string | null;
  /** When to ask the provider next about its outcome; null: nothing is left to ask. */
  look_at: bigint | null;
  /**
   * When the provider was last asked to charge it; null: never, so that nothing can have been
   * charged.
   */
  charge_asked: bigint | null;
  /** How often the provider was asked about it. */
  asks: bigint;
  created: bigint;
  ended: bigint | null;
}

export interface RefundRow {
  /** The id of the transfer that took it off the balance. */
  id: TransferId;
  payment: PaymentId;
  organization: OrganizationId;
  amount: bigint;
  state: 'pending' | 'succeeded' | 'failed';
  /**
   * `asked`: we requested it from the provider. `told`: it was made at the provider, which reported
   * it. `owed`: the same, and it exceeded the balance.
   */
  taken_as: 'asked' | 'told' | 'owed';
  reason: string;
  person: PersonId | null;
  /** When the provider was last asked to pay it out; null: never. */
  asked: bigint | null;
  /** How often the provider was asked. */
  asks: bigint;
  /** When to ask next; null: it is decided, or an earlier version of Penstock made it. */
  look_at: bigint | null;
  created: bigint;
  ended: bigint | null;
}

/** The buyer on the organization's receipts and invoices; empty where nothing was set. */
export interface BillingDetailsRow {
  organization: OrganizationId;
  name: string;
  address: string;
  tax_id: string;
}

/** What an organization means to spend in a calendar month (UTC), in pico-USD. */
export interface BudgetRow {
  organization: OrganizationId;
  amount: bigint;
  /** The last month in which it was told of a threshold, and the highest one of that month. */
  noted_month: bigint | null;
  noted_percent: bigint | null;
}

/**
 * An organization as a provider knows it, and the means of payment that the provider keeps for it.
 */
export interface PaymentCustomerRow {
  organization: OrganizationId;
  provider: string;
  customer: string;
  method: string | null;
  method_label: string | null;
}

export interface RechargeRow {
  organization: OrganizationId;
  /** 1 while recharges are switched on. */
  enabled: bigint;
  threshold: bigint;
  amount: bigint;
  monthly_cap: bigint | null;
  /** The recharge in progress. */
  payment: PaymentId | null;
  /** How many recharges have failed since one succeeded. */
  failures: bigint;
  /** When recharges were paused because too many had failed. */
  paused: bigint | null;
  /** When the last recharge was started. */
  started: bigint | null;
  /** After a failure, or when the cap is reached: the earliest time of the next recharge. */
  waits_until: bigint | null;
}

export interface SandboxCheckoutRow {
  digest: string;
  payment: PaymentId;
  customer: string;
  amount: bigint | null;
  keep_method: bigint;
  state: 'open' | 'paid';
  /** The card that waits for confirmation. */
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

/** Keyed by payment, so that a charge that is requested again gets the same answer. */
export interface SandboxChargeRow {
  payment: PaymentId;
  reference: string;
  customer: string;
  method: string | null;
  card: string;
  amount: bigint;
  /** Why nothing was paid; null: it was paid. */
  declined: string | null;
}

export interface SandboxRefundRow {
  refund: TransferId;
  reference: string;
  amount: bigint;
}

/** An address that had the welcome credit: a keyed digest, which does not reveal the address. */
export interface WelcomeRow {
  address: string;
  created: bigint;
}

/** A person who signed up and gets the welcome credit once their address is confirmed. */
export interface WelcomeClaimRow {
  person: PersonId;
  organization: OrganizationId;
  /** A keyed digest of the network that they signed up from. */
  network: string;
  created: bigint;
}

/**
 * A request with an Idempotency-Key that has moved money. Of a mutation, this is the answer, for a
 * repeat. Of an inference request, it is a claim (MONEY 27): which request was charged.
 */
export interface IdempotencyKeyRow {
  /** A digest of the sender and of the header. Of a claim, it is keyed. */
  digest: string;
  /** A digest of the route, its path and its body; of a claim, a keyed one of the body. */
  request: string;
  /** JSON; bigint amounts are marked, as JSON has none. Of a claim, the id of the request. */
  answer: string;
  created: bigint;
}
