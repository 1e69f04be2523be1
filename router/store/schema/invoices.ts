/** The tables of invoices. */
import type { InvoiceId, OrganizationId, PriceId, TransferId } from '../../../shared/ids.ts';

export interface InvoiceTables {
  invoicing: InvoicingRow;
  invoicing_stretches: InvoicingStretchRow;
  invoices: InvoiceRow;
  invoice_lines: InvoiceLineRow;
}

/** How far an organization has been invoiced; the row stays when it prepays again. */
export interface InvoicingRow {
  organization: OrganizationId;
  /** How many days it has to pay. */
  terms_days: bigint;
  /**
   * The last transfer that is on an invoice, or that was made before invoicing began, and the
   * balance after it.
   */
  seq: bigint;
  balance: bigint;
  /** The last calendar month (UTC) that is closed: year * 12 + month - 1; null: none yet. */
  month: bigint | null;
  /**
   * The name for the last invoice, if the organization was deleted before that was issued. Until
   * then, its billing details are kept, too.
   */
  billed_to: string | null;
}

/**
 * The transfers during which an organization was invoiced. Its invoices cover them without a gap,
 * except for what is not due yet. All others are paid from credit.
 */
export interface InvoicingStretchRow {
  organization: OrganizationId;
  from_seq: bigint;
  /** Null: it is still invoiced. Otherwise its last invoice ends here. */
  to_seq: bigint | null;
}

/** Immutable, except for its state: open ──▶ paid, or void. */
export interface InvoiceRow {
  id: InvoiceId;
  /** Numbers all invoices of the installation from 1, without gaps. */
  number: bigint;
  organization: OrganizationId;
  /** The organization's name when the invoice was issued. */
  billed_to: string;
  /** JSON: the parties as they were when the invoice was issued; null: not known. */
  seller: string | null;
  buyer: string | null;
  month: bigint;
  /** The first and the last transfer that it covers. */
  from_seq: bigint;
  to_seq: bigint;
  /** The sum of its lines: what these transfers took, without payments of invoices. */
  total: bigint;
  /** Credit that was left from before; negative: debt that is on no valid invoice. */
  brought_forward: bigint;
  /** In whole cents, except on invoices that an earlier version issued. */
  amount_due: bigint;
  terms_days: bigint;
  due: bigint;
  status: 'open' | 'paid' | 'void';
  /** The operator's reference for its payment, or the reason why it is void. */
  reference: string | null;
  /** The transfer of its payment. */
  transfer: TransferId | null;
  created: bigint;
  /**
   * When it was paid or became void. If it was paid on an earlier day: the start of that day in UTC, or the
   * time of its issue if that is later.
   */
  ended: bigint | null;
  /**
   * If it is void: the number of the organization's newest invoice at that time; later ones bring
   * its amount forward.
   */
  void_after: bigint | null;
}

export interface InvoiceLineRow {
  invoice: InvoiceId;
  position: bigint;
  /** `usage` for requests of a model at a price; otherwise the kind of the transfers. */
  kind: string;
  model: string | null;
  price: PriceId | null;
  /** How many requests or transfers. */
  count: bigint;
  prompt_tokens: bigint;
  cached_tokens: bigint;
  completion_tokens: bigint;
  /** The amount charged; negative if it is credited. */
  amount: bigint;
}
