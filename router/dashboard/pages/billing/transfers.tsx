/** The transfers of credit in and out of the balance. Charges of requests are shown only if wanted. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeftRight } from 'lucide-react';
import { transfersCsv, transfersQuery } from '../../api/billing.ts';
import { DownloadLink } from '../../parts/download-link.tsx';
import { LoadedList } from '../../parts/loaded-list.tsx';
import { Panel } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { Toggles } from '../../parts/toggles.tsx';
import { filterOf, valuesOf } from '../../search-values.ts';
import { TRANSFER_TYPES, type TransfersSearch, type TransferType } from '../../search.ts';
import { useOrganization } from '../../session.tsx';
import { TransferTable } from './transfer-table.tsx';
import { kindsOf } from './transfer-types.ts';

const NAMES: Readonly<Record<TransferType, string>> = {
  payments: 'Payments',
  credits: 'Credits and corrections',
  refunds: 'Refunds and disputes',
  reversals: 'Reversed charges',
  usage: 'Usage charges',
};

const CHOICES = TRANSFER_TYPES.map((value) => ({ value, name: NAMES[value] }));
/** All but the charges of requests, among which the others would be hard to find. */
const BY_DEFAULT = TRANSFER_TYPES.filter((type) => type !== 'usage');

export function Transfers() {
  const organization = useOrganization();
  const navigate = useNavigate();
  const shown: TransfersSearch = useSearch({ strict: false });
  const chosen =
    shown.type === undefined
      ? BY_DEFAULT
      : TRANSFER_TYPES.filter((type) => valuesOf(shown.type).includes(type));
  const kinds = kindsOf(chosen);
  const query = useInfiniteQuery(transfersQuery(organization, kinds));
  const choose = (types: readonly TransferType[]) => {
    const isDefault = types.length === 0 || String(types) === String(BY_DEFAULT);
    const search = { ...shown, type: isDefault ? undefined : filterOf(types) };
    void navigate({ to: '.', search, replace: true, resetScroll: false });
  };
  return (
    <Panel
      title="Transfers"
      description="What changed the balance, and the balance after it."
      flush
      className="overflow-hidden"
      actions={<DownloadLink href={transfersCsv(organization, kinds)} what="the transfers shown" />}
    >
      <div className="px-5 pb-4">
        <Toggles
          label="Transfers to show"
          chosen={chosen}
          choices={CHOICES}
          onChange={(types) => choose(TRANSFER_TYPES.filter((type) => types.includes(type)))}
        />
      </div>
      <LoadedList
        list={query}
        empty={
          <Empty
            icon={<ArrowLeftRight />}
            title={query.hasNextPage ? 'None of the latest transfers' : 'No transfers'}
          >
            {query.hasNextPage
              ? 'Older transfers may match. Show more to look further back.'
              : 'Nothing of these types has changed the balance.'}
          </Empty>
        }
      >
        {(transfers) => <TransferTable label="Transfers" transfers={transfers} />}
      </LoadedList>
    </Panel>
  );
}
