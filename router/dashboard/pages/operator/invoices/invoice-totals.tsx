/**
 * What all invoices add up to, whatever the list is narrowed to. A figure links to its invoices where
 * the list can be narrowed to them.
 */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { InvoiceTotals as Totals } from '../../../../../shared/api/invoices.ts';
import { invoiceTotalsQuery } from '../../../api/platform.ts';
import { shownCount } from '../../../format/count.ts';
import type { InvoicesSearch } from '../../../operator-search.ts';
import { Stat } from '../../../parts/page.tsx';
import { Money } from '../../../parts/shown.tsx';
import { Failed } from '../../../parts/states.tsx';

const FIGURES = [
  { total: 'open', name: 'Open', status: 'open', note: 'overdue ones included' },
  { total: 'overdue', name: 'Overdue', status: 'overdue', note: 'past the due date' },
  {
    total: 'paid_this_month',
    name: 'Paid this month',
    status: null,
    note: 'since the 1st (UTC)',
  },
] as const satisfies readonly Readonly<{
  total: keyof Totals;
  name: string;
  status: InvoicesSearch['status'] | null;
  note: string;
}>[];

export function InvoiceTotals() {
  const { data, error, refetch } = useQuery(invoiceTotalsQuery);
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />;
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 max-sm:[&>:first-child:nth-last-child(odd)]:col-span-2">
      {FIGURES.map(({ total, name, status, note }) => (
        <Stat
          key={total}
          label={
            status === null ? (
              name
            ) : (
              <Link to="/operator/invoices" search={{ status }} className="hover:underline">
                {name}
              </Link>
            )
          }
          note={data ? notedCount(data[total].count, note) : note}
        >
          {data ? <Money amount={data[total].amount_due} /> : '–'}
        </Stat>
      ))}
    </div>
  );
}

function notedCount(count: number, note: string): string {
  if (count === 0) return 'None';
  return `${shownCount(count)} ${count === 1 ? 'invoice' : 'invoices'}, ${note}`;
}
