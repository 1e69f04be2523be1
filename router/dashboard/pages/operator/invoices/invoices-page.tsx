/** The invoices of all organizations, filtered and sorted by the server. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { allInvoicesCsv, allInvoicesQuery } from '../../../api/platform.ts';
import { now } from '../../../clock.ts';
import { monthName } from '../../../format/money-words.ts';
import { DownloadLink } from '../../../parts/download-link.tsx';
import { FilterBar } from '../../../parts/filter-bar.tsx';
import { LoadedList } from '../../../parts/loaded-list.tsx';
import { Page, Panel } from '../../../parts/page.tsx';
import { SortChoice } from '../../../parts/sorting.tsx';
import { Empty } from '../../../parts/states.tsx';
import { INVOICE_STATUSES, type InvoicesSearch } from '../../../operator-search.ts';
import { latestMonths } from '../../billing/months.ts';
import { EndInvoice, type EndingInvoice } from './end-invoice.tsx';
import { AllInvoicesTable } from './invoices-table.tsx';

type Status = (typeof INVOICE_STATUSES)[number];

const STATUSES: Readonly<Record<Status, string>> = {
  open: 'Open',
  overdue: 'Overdue',
  paid: 'Paid',
  void: 'Void',
};

const ORDERS = [
  { sort: 'number', order: 'desc', name: 'Newest first' },
  { sort: 'number', order: 'asc', name: 'Oldest first' },
  { sort: 'amount_due', order: 'desc', name: 'Highest amount due' },
  { sort: 'amount_due', order: 'asc', name: 'Lowest amount due' },
  { sort: 'due', order: 'asc', name: 'Due first' },
  { sort: 'due', order: 'desc', name: 'Due last' },
] as const;

export default function InvoicesPage() {
  const shown: InvoicesSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const invoices = useInfiniteQuery(allInvoicesQuery(shown));
  const [ending, setEnding] = useState<EndingInvoice | null>(null);
  const change = (part: InvoicesSearch) =>
    void navigate({
      to: '/operator/invoices',
      search: { ...shown, ...part },
      replace: true,
      resetScroll: false,
    });
  const { status, month, sort = 'number', order = 'desc' } = shown;
  const isFiltered = status !== undefined || month !== undefined;
  return (
    <Page
      title="Invoices"
      description="The invoices of all organizations that pay by invoice."
      actions={<DownloadLink href={allInvoicesCsv(shown)} what="the invoices" />}
    >
      <SortChoice sorting={{ sort, order }} choices={ORDERS} onSort={change} />
      <FilterBar
        filters={[
          {
            filter: 'status',
            name: 'Status',
            options: {
              choices: INVOICE_STATUSES.map((value) => ({ value, name: STATUSES[value] })),
            },
          },
          {
            filter: 'month',
            name: 'Month',
            options: {
              choices: latestMonths(now()).map((value) => ({ value, name: monthName(value) })),
            },
          },
        ]}
        values={{
          ...(status !== undefined && { status: [status] }),
          ...(month !== undefined && { month: [month] }),
        }}
        onChange={(filter, [value]) =>
          change(
            filter === 'month'
              ? { month: value }
              : { status: INVOICE_STATUSES.find((one) => one === value) },
          )
        }
        onClear={() => change({ status: undefined, month: undefined })}
      />
      <Panel flush className="overflow-hidden">
        <LoadedList list={invoices} empty={<NoInvoices isFiltered={isFiltered} />}>
          {(rows) => (
            <AllInvoicesTable {...{ rows, sort, order }} onSort={change} onEnd={setEnding} />
          )}
        </LoadedList>
      </Panel>
      {ending && <EndInvoice {...ending} onClose={() => setEnding(null)} />}
    </Page>
  );
}

function NoInvoices({ isFiltered }: { isFiltered: boolean }) {
  return (
    <Empty icon={<FileText />} title={isFiltered ? 'No matches' : 'No invoices yet'}>
      {isFiltered
        ? 'No invoices match these filters. Change or clear them.'
        : 'An invoiced organization gets an invoice at the start of each month for the previous month.'}
    </Empty>
  );
}
