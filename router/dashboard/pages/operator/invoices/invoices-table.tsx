import { Link, useNavigate } from '@tanstack/react-router';
import type { Invoice } from '../../../../../shared/api/invoices.ts';
import { invoicePeriod } from '../../../format/money-words.ts';
import { utcDate } from '../../../format/utc.ts';
import { InvoiceStatus } from '../../../parts/invoice-status.tsx';
import { opensOnClick } from '../../../parts/list/row-click.ts';
import { sortedBy } from '../../../parts/list/sorting.tsx';
import { ACTIONS, foremost, MoneyCell, numeric, Table, Td } from '../../../parts/list/table.tsx';
import type { InvoicesSearch } from '../../../operator-search.ts';
import { PAGES } from '../../../pages.ts';
import type { EndingInvoice } from './end-invoice.tsx';
import { InvoiceLink } from './invoice-link.tsx';
import { InvoiceMenu } from './invoice-menu.tsx';

type Sort = NonNullable<InvoicesSearch['sort']>;
type Order = NonNullable<InvoicesSearch['order']>;

type TableProps = Readonly<{
  rows: readonly Invoice[];
  sort: Sort;
  order: Order;
  onSort: (wanted: Readonly<{ sort: Sort; order: Order }>) => void;
  onEnd: (ending: EndingInvoice) => void;
}>;

export function AllInvoicesTable({ rows, sort, order, onSort, onEnd }: TableProps) {
  const sorted = sortedBy({ sort, order }, onSort);
  return (
    <Table
      label="Invoices"
      columns={[
        { name: 'Number', ...sorted('number') },
        'Month',
        'Organization',
        'Status',
        foremost({ ...numeric('Amount due'), ...sorted('amount_due') }),
        { name: 'Due date', ...sorted('due') },
        ACTIONS,
      ]}
    >
      {rows.map((invoice) => (
        <Row key={invoice.id} invoice={invoice} onEnd={onEnd} />
      ))}
    </Table>
  );
}

type RowProps = Readonly<{ invoice: Invoice; onEnd: (ending: EndingInvoice) => void }>;

function Row({ invoice, onEnd }: RowProps) {
  const { id, number, organization, billed_to: name, reference } = invoice;
  const navigate = useNavigate();
  return (
    <tr
      className="cursor-pointer hover:bg-hover"
      onClick={opensOnClick(
        () => void navigate({ to: PAGES.invoice.path, params: { invoice: id } }),
      )}
    >
      <Td>
        <InvoiceLink id={id} number={number} />
      </Td>
      <Td className="whitespace-nowrap">{invoicePeriod(invoice.period)}</Td>
      <Td className="max-w-72">
        <Link
          to="/operator/organizations/$organization"
          params={{ organization }}
          search={{ view: 'money' }}
          className="block truncate font-medium hover:underline"
          title={name}
        >
          {name}
        </Link>
      </Td>
      <Td className="max-w-60">
        <InvoiceStatus invoice={invoice} />
        {reference !== null && (
          <span className="mt-0.5 block truncate text-xs text-muted" title={reference}>
            {reference}
          </span>
        )}
      </Td>
      <MoneyCell amount={invoice.amount_due} />
      <Td className="whitespace-nowrap">{utcDate(invoice.due)}</Td>
      <Td right>
        <InvoiceMenu invoice={invoice} onEnd={onEnd} />
      </Td>
    </tr>
  );
}
