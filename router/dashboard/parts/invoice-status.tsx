import type { Invoice } from '../../../shared/api/invoices.ts';
import { invoiceEnd, invoiceState } from '../format/money-words.ts';
import { StateBadge } from './shown.tsx';

/** The state of an invoice in a table, and beside it when the invoice was paid or voided. */
export function InvoiceStatus({ invoice }: { invoice: Invoice }) {
  const end = invoiceEnd(invoice);
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <StateBadge of={invoiceState(invoice)} />
      {end !== null && <span className="text-xs whitespace-nowrap text-muted">{end}</span>}
    </span>
  );
}
