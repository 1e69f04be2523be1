/**
 * What changed the balance of an organization: by day, or as transfers of one cause, each with the
 * balance after it.
 */
import { useSearch } from '@tanstack/react-router';
import { ledgerCsv, transfersCsv } from '../../api/billing.ts';
import { DownloadLink } from '../../parts/download-link.tsx';
import { Panel } from '../../parts/page.tsx';
import { Segmented } from '../../parts/form/segmented.tsx';
import { Toggles } from '../../parts/form/toggles.tsx';
import {
  ACTIVITY_CAUSES,
  type ActivityCause,
  type ActivityFilter,
  type ActivitySearch,
  activitySearch,
  causesOf,
} from '../../search.ts';
import { useSearchChange } from '../../parts/list/use-search-change.ts';
import { filterOf, type Raw } from '../../search-values.ts';
import { useOrganization } from '../../session.tsx';
import { ActivityDays } from './activity-days.tsx';
import { ActivityTransfers } from './activity-transfers.tsx';
import { kindsOf } from './transfer-kinds.ts';

const NAMES = { all: 'All', usage: 'Usage', payments: 'Payments and corrections' } as const;

const CHOICES = (['all', 'usage', 'payments'] as const).map((value) => ({
  value,
  name: NAMES[value],
}));

const DESCRIPTIONS: Readonly<Record<'all' | ActivityFilter, string>> = {
  all: 'The balance before and after each day (UTC) on which it changed.',
  usage: 'Request charges and refunds of charges.',
  payments: 'Payments, refunds, disputes, credit and corrections.',
};

const CAUSE_NAMES: Readonly<Record<ActivityCause, string>> = {
  payment: 'Payments',
  refund: 'Refunds and disputes',
  welcome: 'Welcome credit',
  adjustment: 'Adjustments',
};

const CAUSES = ACTIVITY_CAUSES.map((value) => ({ value, name: CAUSE_NAMES[value] }));

/** The view of the page comes first. It is one of Billing, or of an operator's page of the organization. */
const readActivity = (raw: Raw) => ({ view: raw['view'], ...activitySearch(raw) });

export function Activity() {
  const search: ActivitySearch = useSearch({ strict: false });
  const { show = 'all' } = search;
  const causes = causesOf(search.cause);
  const change = useSearchChange(readActivity);
  const narrow = (chosen: typeof show, chosenCauses: readonly ActivityCause[]) =>
    change({
      show: chosen === 'all' ? undefined : chosen,
      cause: filterOf(chosenCauses),
    });
  return (
    <Panel
      title="Activity"
      description={DESCRIPTIONS[show]}
      flush
      className="overflow-hidden"
      actions={<Downloads show={show} causes={causes} />}
    >
      <div className="grid justify-items-start gap-3 px-5 pb-4">
        <Segmented
          label="Activity to show"
          value={show}
          choices={CHOICES}
          onChange={(chosen) => narrow(chosen, [])}
        />
        {show === 'payments' && (
          <Toggles
            label="Causes to show"
            chosen={causes}
            choices={CAUSES}
            onChange={(chosen) => narrow(show, chosen)}
          />
        )}
      </div>
      {show === 'all' ? (
        <ActivityDays />
      ) : (
        // The key discards the pages of the other list.
        <ActivityTransfers
          key={`${show} ${search.cause}`}
          label={NAMES[show]}
          kinds={kindsOf(show, causes)}
        />
      )}
    </Panel>
  );
}

type DownloadsProps = Readonly<{
  show: 'all' | ActivityFilter;
  causes: readonly ActivityCause[];
}>;

function Downloads({ show, causes }: DownloadsProps) {
  const organization = useOrganization();
  if (show !== 'all') {
    return (
      <DownloadLink
        href={transfersCsv(organization, kindsOf(show, causes))}
        what="the transfers shown"
      />
    );
  }
  return (
    <div className="flex flex-wrap gap-2">
      <DownloadLink href={ledgerCsv(organization)} name="by day" what="the activity" />
      <DownloadLink href={transfersCsv(organization)} name="of all entries" what="the activity" />
    </div>
  );
}
