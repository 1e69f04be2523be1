/** What there is to pay for an invoice, as its document and the dashboard say it. */
import type { Invoice } from './api/invoices.ts';
import { inPico } from './money.ts';

/** By when it is due, or when it was paid or voided. `none`: nothing is to be paid. */
export type InvoicePayment =
  | Readonly<{ state: 'none' }>
  | Readonly<{ state: 'due' | 'paid' | 'voided'; at: string }>;

export function paymentOf({
  status,
  due,
  ended,
  amount_due: amount,
}: Pick<Invoice, 'status' | 'due' | 'ended' | 'amount_due'>): InvoicePayment {
  if (inPico(amount) === 0n) return { state: 'none' };
  if (status === 'open' || ended === null) return { state: 'due', at: due };
  return { state: status === 'paid' ? 'paid' : 'voided', at: ended };
}
