/** What all invoices add up to, whatever the list is narrowed to. Each figure links to its invoices. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { InvoiceTotals as Totals } from '../../../../../shared/api/invoices.ts';
import { invoiceTotalsQuery } from '../../../api/platform.ts';
import { shownCount } from '../../../format/count.ts';
import { Stat } from '../../../parts/page.tsx';
import { Money } from '../../../parts/shown.tsx';

const FIGURES = [
  { total: 'open', name: 'Open', status: 'open', note: 'overdue ones included' },
  { total: 'overdue', name: 'Overdue', status: 'overdue', note: 'past their due date' },
  {
    total: 'paid_this_month',
    name: 'Paid this month',
    status: 'paid',
    note: 'since the 1st (UTC)',
  },
] as const satisfies readonly { total: keyof Totals; [more: string]: string }[];

export function InvoiceTotals() {
  const { data } = useQuery(invoiceTotalsQuery);
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      {FIGURES.map(({ total, name, status, note }) => (
        <Stat
          key={total}
          label={
            <Link to="/operator/invoices" search={{ status }} className="hover:underline">
              {name}
            </Link>
          }
          note={data ? `${invoices(data[total].count)}, ${note}` : note}
        >
          {data ? <Money amount={data[total].amount_due} /> : '–'}
        </Stat>
      ))}
    </div>
  );
}

function invoices(count: number): string {
  return `${shownCount(count)} ${count === 1 ? 'invoice' : 'invoices'}`;
}
