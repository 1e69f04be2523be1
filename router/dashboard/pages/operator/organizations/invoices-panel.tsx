import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invoice } from '../../../../../shared/api/invoices.ts';
import type { Organization } from '../../../../../shared/api/organizations.ts';
import { invoicesQuery } from '../../../api/billing.ts';
import { invoicePeriod } from '../../../format/money-words.ts';
import { utcDate } from '../../../format/utc.ts';
import { InvoiceStatus } from '../../../parts/invoice-status.tsx';
import { LoadedList } from '../../../parts/list/loaded-list.tsx';
import { Panel } from '../../../parts/page.tsx';
import { ACTIONS, foremost, MoneyCell, numeric, Table, Td } from '../../../parts/list/table.tsx';
import { NextInvoice } from '../../billing/next-invoice.tsx';
import { EndInvoice, type EndingInvoice } from '../invoices/end-invoice.tsx';
import { InvoiceLink } from '../invoices/invoice-link.tsx';
import { InvoiceMenu } from '../invoices/invoice-menu.tsx';
import { Nothing } from '../nothing.tsx';

const ROWS = 10;

export function InvoicesPanel({ organization: { id, billing } }: { organization: Organization }) {
  const invoices = useInfiniteQuery(invoicesQuery(id, ROWS));
  const [ending, setEnding] = useState<EndingInvoice | null>(null);
  // A prepaid organization has invoices only from a time when it was invoiced.
  if (billing.type === 'prepaid' && invoices.data?.length === 0) return null;
  return (
    <Panel title="Invoices" flush>
      {billing.type === 'invoiced' && <NextInvoice organization={id} />}
      <LoadedList
        list={invoices}
        empty={
          <Nothing flush title="No invoices yet">
            It gets an invoice at the start of each month for the previous month.
          </Nothing>
        }
      >
        {(rows) => <InvoicesTable rows={rows} onEnd={setEnding} />}
      </LoadedList>
      {ending && <EndInvoice {...ending} onClose={() => setEnding(null)} />}
    </Panel>
  );
}

type InvoicesTableProps = Readonly<{
  rows: readonly Invoice[];
  onEnd: (ending: EndingInvoice) => void;
}>;

function InvoicesTable({ rows, onEnd }: InvoicesTableProps) {
  return (
    <Table
      label="Invoices"
      columns={[
        'Number',
        'Month',
        'Status',
        foremost(numeric('Amount due')),
        'Due date',
        'Reference',
        ACTIONS,
      ]}
    >
      {rows.map((invoice) => (
        <tr key={invoice.id}>
          <Td>
            <InvoiceLink id={invoice.id} number={invoice.number} />
          </Td>
          <Td>{invoicePeriod(invoice.period)}</Td>
          <Td>
            <InvoiceStatus invoice={invoice} />
          </Td>
          <MoneyCell amount={invoice.amount_due} />
          <Td className="whitespace-nowrap">{utcDate(invoice.due)}</Td>
          <Td className="max-w-60 truncate">{invoice.reference}</Td>
          <Td right>
            <InvoiceMenu invoice={invoice} onEnd={onEnd} />
          </Td>
        </tr>
      ))}
    </Table>
  );
}
