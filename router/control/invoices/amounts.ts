/**
 * The amounts of an invoice. The amount due is the debt that would remain after all earlier open
 * invoices are paid, in whole cents. If less than a cent remains, nothing is due, and any surplus is
 * the organization's credit. So the amount depends only on the balance and the open invoices, not on
 * how the debt arose.
 */
import { dueOf } from '../../../shared/invoice-amounts.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';
import type { InvoiceRow } from '../../store/schema/invoices.ts';
import type { LineSum } from './span.ts';

export type Amounts = Pick<InvoiceRow, 'total' | 'brought_forward' | 'amount_due'>;

/** `closing`: the balance after the transfer `to`, which is the last of the invoice. */
type End = Readonly<{ organization: OrganizationId; to: bigint; closing: bigint }>;

/** For procedures: the amounts of an invoice with these lines. */
export async function amountsOf(db: Db, lines: readonly LineSum[], end: End): Promise<Amounts> {
  const left = await leftOf(db, end);
  const total = addAmounts(lines);
  return { total, brought_forward: left + total, amount_due: dueOf(left) };
}

/** For procedures: what is left of the balance once all earlier open invoices are paid. */
export async function leftOf(db: Db, { organization, to, closing }: End): Promise<bigint> {
  return closing + (await openBefore(db, organization, to));
}

/** The sums that are lines of an invoice: payments of invoices are on none. */
export function linesOf(sums: readonly LineSum[]): LineSum[] {
  return sums.filter(({ kind }) => kind !== 'invoice_payment');
}

export function addAmounts(sums: readonly LineSum[]): bigint {
  return sums.reduce((sum, { amount }) => sum + amount, 0n);
}

/** Sums the invoices that are open, or that were paid by a transfer after `seq`. */
async function openBefore(db: Db, organization: OrganizationId, seq: bigint): Promise<bigint> {
  const rows = await db
    .selectFrom('invoices')
    .leftJoin('transfers', 'transfers.id', 'invoices.transfer')
    .select('invoices.amount_due')
    .where('invoices.organization', '=', organization)
    .where((where) =>
      where.or([where('invoices.status', '=', 'open'), where('transfers.seq', '>', seq)]),
    )
    .execute();
  return rows.reduce((sum, { amount_due }) => sum + amount_due, 0n);
}
