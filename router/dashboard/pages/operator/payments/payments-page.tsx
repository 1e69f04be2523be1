/** The online payments of all organizations: found and filtered by the server, the newest first. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Wallet } from 'lucide-react';
import { useMemo } from 'react';
import { SEARCH_CHARS_MAX } from '../../../../../shared/bounds/search-chars.ts';
import { allPaymentsCsv, allPaymentsQuery } from '../../../api/platform.ts';
import { now } from '../../../clock.ts';
import { monthName, purposeName, unpaidState } from '../../../format/money-words.ts';
import { PAYMENT_PURPOSES, PAYMENT_STATUSES, paymentsSearch } from '../../../operator-search.ts';
import { DownloadLink } from '../../../parts/download-link.tsx';
import { BarLayout } from '../../../parts/list/bar-layout.tsx';
import { FilterBar } from '../../../parts/list/filter-bar.tsx';
import { listedInWords } from '../../../parts/list/listed-in-words.ts';
import { LoadedList } from '../../../parts/list/loaded-list.tsx';
import { SearchBox } from '../../../parts/list/search-box.tsx';
import { useSearchChange } from '../../../parts/list/use-search-change.ts';
import { Page, Panel } from '../../../parts/page.tsx';
import { Empty } from '../../../parts/states.tsx';
import { latestMonths } from '../../billing/months.ts';
import { AllPaymentsTable } from './payments-table.tsx';

const STATUSES: Readonly<Record<(typeof PAYMENT_STATUSES)[number], string>> = {
  failed: unpaidState('failed').name,
  expired: unpaidState('expired').name,
  open: unpaidState('open').name,
  pending: unpaidState('pending').name,
  // Those that were refunded or disputed since are among them.
  succeeded: 'Paid',
  refunded: 'Refunded, whole or in part',
  refund_failed: 'Refund failed',
  disputed: 'Disputed',
};

function filtersAt(instant: number) {
  return [
    {
      filter: 'status',
      name: 'Status',
      options: { choices: PAYMENT_STATUSES.map((value) => ({ value, name: STATUSES[value] })) },
    },
    {
      filter: 'purpose',
      name: 'Purpose',
      options: { choices: PAYMENT_PURPOSES.map((value) => ({ value, name: purposeName(value) })) },
    },
    {
      filter: 'month',
      name: 'Month (UTC)',
      options: {
        choices: latestMonths(instant).map((value) => ({ value, name: monthName(value) })),
      },
    },
  ] as const;
}

export default function PaymentsPage() {
  // Another parameter of the address is not for the API.
  const shown = paymentsSearch(useSearch({ strict: false }));
  const payments = useInfiniteQuery(allPaymentsQuery(shown));
  const filters = useMemo(() => filtersAt(now()), []);
  const change = useSearchChange(paymentsSearch);
  const { search = '', status, purpose, month } = shown;
  const isNarrowed = Object.values(shown).some((value) => value !== undefined);
  const count = listedInWords(payments, 'payment', 'payments');
  return (
    <Page
      title="Payments"
      description="Top-ups and auto-recharges of all organizations through the payment provider, the newest first."
      actions={<DownloadLink href={allPaymentsCsv(shown)} what="the payments" size="medium" />}
    >
      <BarLayout
        filters={
          <FilterBar
            filters={filters}
            values={{ status: listOf(status), purpose: listOf(purpose), month: listOf(month) }}
            onChange={(filter, [value]) => change({ [filter]: value })}
            onClear={() => change({ status: undefined, purpose: undefined, month: undefined })}
          />
        }
        count={count}
      >
        <SearchBox
          label="Search payments"
          placeholder="Organization, payment ID or receipt"
          charsMax={SEARCH_CHARS_MAX}
          searched={search}
          onSearch={(text) => change({ search: text === '' ? undefined : text })}
        />
      </BarLayout>
      <Panel flush className="overflow-hidden">
        <LoadedList
          list={payments}
          empty={
            <Empty icon={<Wallet />} title={isNarrowed ? 'No matches' : 'No payments yet'}>
              {isNarrowed
                ? 'No payments match this search and these filters. Change or clear them.'
                : 'Payments are listed here from the moment they are started.'}
            </Empty>
          }
        >
          {(rows) => <AllPaymentsTable rows={rows} />}
        </LoadedList>
      </Panel>
    </Page>
  );
}

function listOf(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [value];
}
