/** The transfers of some kinds, newest first, each with the balance after it. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { ArrowLeftRight } from 'lucide-react';
import { type TransferKind, transfersQuery } from '../../api/billing.ts';
import { LoadedList } from '../../parts/list/loaded-list.tsx';
import { Empty } from '../../parts/states.tsx';
import { useOrganization } from '../../session.tsx';
import { TransferTable } from './transfer-table.tsx';

type ActivityTransfersProps = Readonly<{
  label: string;
  kinds: readonly TransferKind[];
}>;

export function ActivityTransfers({ label, kinds }: ActivityTransfersProps) {
  const query = useInfiniteQuery(transfersQuery(useOrganization(), kinds));
  return (
    <LoadedList
      list={query}
      empty={
        <Empty
          icon={<ArrowLeftRight />}
          title={query.hasNextPage ? 'None of the latest transfers' : 'No transfers'}
        >
          {query.hasNextPage
            ? 'Older transfers may match. Show more to look further back.'
            : 'Nothing of this type has changed the balance.'}
        </Empty>
      }
    >
      {(transfers) => <TransferTable {...{ label, transfers }} />}
    </LoadedList>
  );
}
