/**
 * What changed the balance of an organization: by day, or as transfers of one cause, each with the
 * balance after it.
 */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ledgerCsv, transfersCsv } from '../../api/billing.ts';
import { DownloadLink } from '../../parts/download-link.tsx';
import { Panel } from '../../parts/page.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import type { ActivityFilter, ActivitySearch } from '../../search.ts';
import { useOrganization } from '../../session.tsx';
import { ActivityDays } from './activity-days.tsx';
import { ActivityTransfers } from './activity-transfers.tsx';
import { KINDS } from './transfer-kinds.ts';

const NAMES = { all: 'All', usage: 'Usage', payments: 'Payments and corrections' } as const;

const CHOICES = (['all', 'usage', 'payments'] as const).map((value) => ({
  value,
  name: NAMES[value],
}));

const DESCRIPTIONS: Readonly<Record<'all' | ActivityFilter, string>> = {
  all: 'The balance before and after each day (UTC) on which it changed.',
  usage: 'Charges of requests, and charges that were given back.',
  payments: 'Payments, refunds, disputes, credit and corrections.',
};

export function Activity() {
  const navigate = useNavigate();
  const search: ActivitySearch = useSearch({ strict: false });
  const { show = 'all' } = search;
  const choose = (chosen: typeof show) => {
    const next = { ...search, show: chosen === 'all' ? undefined : chosen };
    void navigate({ to: '.', search: next, replace: true, resetScroll: false });
  };
  return (
    <Panel
      title="Activity"
      description={DESCRIPTIONS[show]}
      flush
      className="overflow-hidden"
      actions={<Downloads show={show} />}
    >
      <div className="px-5 pb-4">
        <Segmented label="Activity to show" value={show} choices={CHOICES} onChange={choose} />
      </div>
      {show === 'all' ? (
        <ActivityDays />
      ) : (
        // The key discards the pages of the other list.
        <ActivityTransfers key={show} label={NAMES[show]} kinds={KINDS[show]} />
      )}
    </Panel>
  );
}

function Downloads({ show }: { show: 'all' | ActivityFilter }) {
  const organization = useOrganization();
  if (show !== 'all') {
    return (
      <DownloadLink href={transfersCsv(organization, KINDS[show])} what="the transfers shown" />
    );
  }
  return (
    <div className="flex flex-wrap gap-2">
      <DownloadLink href={ledgerCsv(organization)} name="Days" what="the activity by day" />
      <DownloadLink href={transfersCsv(organization)} name="Transfers" what="all transfers" />
    </div>
  );
}
