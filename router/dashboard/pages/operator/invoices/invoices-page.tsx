/** The invoices of all organizations: found, filtered and sorted by the server, with their totals. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { useMemo, useState } from 'react';
import { allInvoicesCsv, allInvoicesQuery } from '../../../api/platform.ts';
import { now } from '../../../clock.ts';
import { monthName } from '../../../format/money-words.ts';
import { useSearchChange } from '../../../parts/list/use-search-change.ts';
import { DownloadLink } from '../../../parts/download-link.tsx';
import { ListBar } from '../../../parts/list/list-bar.tsx';
import { LoadedList } from '../../../parts/list/loaded-list.tsx';
import { Page, Panel } from '../../../parts/page.tsx';
import { Empty } from '../../../parts/states.tsx';
import { INVOICE_STATUSES, invoicesSearch } from '../../../operator-search.ts';
import { latestMonths } from '../../billing/months.ts';
import { EndInvoice, type EndingInvoice } from './end-invoice.tsx';
import { InvoiceTotals } from './invoice-totals.tsx';
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

function filtersAt(instant: number) {
  return [
    {
      filter: 'status',
      name: 'Status',
      options: { choices: INVOICE_STATUSES.map((value) => ({ value, name: STATUSES[value] })) },
    },
    {
      filter: 'month',
      name: 'Month',
      options: {
        choices: latestMonths(instant).map((value) => ({ value, name: monthName(value) })),
      },
    },
  ] as const;
}

export default function InvoicesPage() {
  // Another parameter of the address is not for the API.
  const shown = invoicesSearch(useSearch({ strict: false }));
  const invoices = useInfiniteQuery(allInvoicesQuery(shown));
  const [ending, setEnding] = useState<EndingInvoice | null>(null);
  const filters = useMemo(() => filtersAt(now()), []);
  const change = useSearchChange(invoicesSearch);
  const { search, status, month, sort = 'number', order = 'desc' } = shown;
  const isNarrowed = [search, status, month].some((value) => value !== undefined);
  return (
    <Page
      title="Invoices"
      description="Each organization that pays by invoice gets one at the start of each month."
      actions={<DownloadLink href={allInvoicesCsv(shown)} what="the invoices" size="medium" />}
    >
      <InvoiceTotals />
      <ListBar
        what="invoices"
        placeholder="Number, or organization's name or ID"
        filters={filters}
        sorting={{ sort, order }}
        orders={ORDERS}
        shown={shown}
        onChange={change}
      />
      <Panel flush className="overflow-hidden">
        <LoadedList list={invoices} empty={<NoInvoices isNarrowed={isNarrowed} />}>
          {(rows) => (
            <AllInvoicesTable {...{ rows, sort, order }} onSort={change} onEnd={setEnding} />
          )}
        </LoadedList>
      </Panel>
      {ending && <EndInvoice {...ending} onClose={() => setEnding(null)} />}
    </Page>
  );
}

function NoInvoices({ isNarrowed }: { isNarrowed: boolean }) {
  return (
    <Empty icon={<FileText />} title={isNarrowed ? 'No matches' : 'No invoices yet'}>
      {isNarrowed ? (
        'No invoices match this search and these filters. Change or clear them.'
      ) : (
        <>
          The first are issued at the start of next month (UTC), for{' '}
          <Link
            to="/operator/organizations"
            search={{ billing: 'invoiced' }}
            className="text-accent hover:underline"
          >
            the organizations that pay by invoice
          </Link>
          .
        </>
      )}
    </Empty>
  );
}
