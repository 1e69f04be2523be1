/** The invoices of an organization, each with links to its HTML, PDF, CSV and JSON. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import type { Invoice } from '../../../../shared/api/invoices.ts';
import { invoicesQuery } from '../../api/billing.ts';
import { pathOf } from '../../api/client.ts';
import { invoicePeriod } from '../../format/money-words.ts';
import { utcDate } from '../../format/utc.ts';
import { InvoiceStatus } from '../../parts/invoice-status.tsx';
import { LoadedList } from '../../parts/list/loaded-list.tsx';
import { Panel } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { foremost, MoneyCell, numeric, Table, Td } from '../../parts/list/table.tsx';
import { useOrganization } from '../../session.tsx';
import { NextInvoice } from './next-invoice.tsx';
import { PageLink } from './page-link.tsx';

/**
 * For a prepaid organization, the panel is hidden unless there is an invoice from an earlier time
 * when the organization was invoiced.
 */
export function Invoices({ isInvoiced }: { isInvoiced: boolean }) {
  const organization = useOrganization();
  const query = useInfiniteQuery(invoicesQuery(organization));
  if (!isInvoiced && (query.data ?? []).length === 0) return null;
  return (
    <Panel
      title="Invoices"
      description="One invoice for each calendar month (UTC) with charges."
      flush
    >
      {isInvoiced && <NextInvoice organization={organization} />}
      <LoadedList
        list={query}
        empty={
          <Empty icon={<FileText />} title="No invoices yet">
            Invoices are issued after the end of each month (UTC).
          </Empty>
        }
      >
        {(invoices) => (
          <Table
            label="Invoices"
            columns={[
              'Number',
              'Period',
              'Status',
              'Due date',
              foremost(numeric('Amount due')),
              'View',
            ]}
          >
            {invoices.map((invoice) => (
              <Row key={invoice.id} invoice={invoice} />
            ))}
          </Table>
        )}
      </LoadedList>
    </Panel>
  );
}

function Row({ invoice }: { invoice: Invoice }) {
  const { id, number, organization, period, amount_due: due, reference } = invoice;
  const path = `/organizations/${organization}/invoices/${id}`;
  return (
    <tr>
      <Td className="font-medium whitespace-nowrap">{number}</Td>
      <Td className="whitespace-nowrap">{invoicePeriod(period)}</Td>
      <Td>
        <InvoiceStatus invoice={invoice} />
        {reference !== null && <span className="mt-0.5 block text-xs text-muted">{reference}</span>}
      </Td>
      <Td className="whitespace-nowrap">{utcDate(invoice.due)}</Td>
      <MoneyCell amount={due} />
      <Td>
        <span className="flex gap-3">
          <PageLink href={pathOf(path, { format: 'html' })}>HTML</PageLink>
          <PageLink href={pathOf(path, { format: 'pdf' })}>PDF</PageLink>
          <PageLink href={pathOf(path, { format: 'csv' })}>CSV</PageLink>
          <PageLink href={pathOf(path, { format: 'json' })}>JSON</PageLink>
        </span>
      </Td>
    </tr>
  );
}
