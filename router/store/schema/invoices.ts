/** The tables of invoices. */
import type { InvoiceId, OrganizationId, PriceId, TransferId } from '../../../shared/ids.ts';

/** How far an organization has been invoiced; kept when it prepays again. */
export interface InvoicingRow {
  organization: OrganizationId;
  /** How long it has to pay. */
  terms_days: bigint;
  /** The last transfer that is on an invoice, or was made before it was invoiced, and the balance after it. */
  seq: bigint;
  balance: bigint;
  /** The last calendar month (UTC) that is closed: year * 12 + month - 1; null: none yet. */
  month: bigint | null;
  /** To whom the last invoice is made out, where the organization was deleted before it was issued. */
  billed_to: string | null;
}

/**
 * The transfers during which an organization was invoiced: its invoices cover them without a gap, but for what
 * is not due yet. All others are paid from credit.
 */
export interface InvoicingStretchRow {
  organization: OrganizationId;
  from_seq: bigint;
  /** Null: it still is invoiced. Else its last invoice ends here. */
  to_seq: bigint | null;
}

/** Immutable, but for what becomes of it: open ──▶ paid, or void. */
export interface InvoiceRow {
  id: InvoiceId;
  /** Numbers all invoices of the installation from 1, without gaps. */
  number: bigint;
  organization: OrganizationId;
  /** The organization's name when it was issued. */
  billed_to: string;
  month: bigint;
  /** The transfers that it is made of. */
  from_seq: bigint;
  to_seq: bigint;
  /** The sum of its lines: what the ledger took in its span, payments of invoices aside. */
  total: bigint;
  /** Credit that was left from before; below zero: what was owed and stood on no invoice that counts. */
  brought_forward: bigint;
  amount_due: bigint;
  terms_days: bigint;
  due: bigint;
  status: 'open' | 'paid' | 'void';
  /** What the operator knows its payment by, or why it is void. */
  reference: string | null;
  /** Of its payment. */
  transfer: TransferId | null;
  created: bigint;
  /** When it was paid or void. */
  ended: bigint | null;
  /** Of one that is void: the organization's newest invoice at that time; later ones bring its amount forward. */
  void_after: bigint | null;
}

export interface InvoiceLineRow {
  invoice: InvoiceId;
  position: bigint;
  /** `usage`, for a model at a price, or the kind of its transfers. */
  kind: string;
  model: string | null;
  price: PriceId | null;
  /** How many requests, or transfers. */
  count: bigint;
  prompt_tokens: bigint;
  cached_tokens: bigint;
  completion_tokens: bigint;
  /** What is charged; below zero: what is credited. */
  amount: bigint;
}
