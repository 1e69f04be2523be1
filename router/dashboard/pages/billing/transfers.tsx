/** Every transfer of credit in and out of the balance, with its exact amount. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeftRight } from 'lucide-react';
import { useState } from 'react';
import type { Transfer } from '../../../../shared/api/credit.ts';
import { transfersQuery } from '../../api/billing.ts';
import { isOfPayment, transferKind, transferOrigin } from '../../format/money-words.ts';
import { PAGES } from '../../pages.ts';
import { cx } from '../../parts/class-names.ts';
import { LoadedList } from '../../parts/loaded-list.tsx';
import { Panel } from '../../parts/page.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { Money } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { numeric, Table, Td, TimeCell } from '../../parts/table.tsx';
import { useOrganization } from '../../session.tsx';

const CHOICES = [
  { value: 'all', name: 'All' },
  { value: 'other', name: 'Payments and credit' },
  { value: 'usage', name: 'Usage' },
] as const;

type Choice = (typeof CHOICES)[number]['value'];

export function Transfers() {
  const [choice, setChoice] = useState<Choice>('all');
  const cause = choice === 'all' ? undefined : choice;
  const query = useInfiniteQuery(transfersQuery(useOrganization(), cause));
  return (
    <Panel
      title="Transfers"
      description="Every change to the balance."
      flush
      actions={
        <Segmented
          label="Transfers to show"
          value={choice}
          choices={CHOICES}
          onChange={setChoice}
        />
      }
    >
      <LoadedList
        list={query}
        empty={
          <Empty
            icon={<ArrowLeftRight />}
            title={query.hasNextPage ? 'None of the latest transfers' : 'No transfers yet'}
          >
            {query.hasNextPage
              ? 'Older transfers may match. Show more to look further back.'
              : 'Payments and the cost of each request appear here.'}
          </Empty>
        }
      >
        {(transfers) => <TransferTable label="Transfers" transfers={transfers} />}
      </LoadedList>
    </Panel>
  );
}

export function TransferTable({
  label,
  transfers,
}: Readonly<{ label: string; transfers: readonly Transfer[] }>) {
  return (
    <Table
      label={label}
      columns={['Date', 'Type', numeric('Amount'), { name: 'Reference', className: 'pl-6' }]}
    >
      {transfers.map((transfer) => (
        <Row key={transfer.id} transfer={transfer} />
      ))}
    </Table>
  );
}

function Row({ transfer: { kind, amount, reference, reason, created } }: { transfer: Transfer }) {
  const isCredit = !amount.startsWith('-');
  return (
    <tr>
      <TimeCell at={created} />
      <Td className="min-w-36">
        {transferKind(kind)}
        {reason !== null && <span className="block text-xs text-muted">{reason}</span>}
      </Td>
      <Td right className={cx('whitespace-nowrap', isCredit && 'text-good')}>
        {isCredit && '+'}
        <Money amount={amount} exact />
      </Td>
      <Td className="min-w-44 pl-6">
        <Reference kind={kind} reference={reference} />
      </Td>
    </tr>
  );
}

type ReferenceProps = Readonly<{ kind: string; reference: string }>;

/** Links to the request or the payments of the transfer, and names the origin of others. */
function Reference({ kind, reference }: ReferenceProps) {
  const organization = useOrganization();
  if (!reference.startsWith('req_')) {
    if (!isOfPayment(kind)) return <span className="text-muted">{transferOrigin(kind)}</span>;
    return (
      <Link
        to={PAGES.billing.path}
        params={{ organization }}
        search={{ view: 'payments' }}
        className="text-accent hover:underline"
      >
        See Payments
      </Link>
    );
  }
  return (
    <Link
      to={PAGES.request.path}
      params={{ organization, request: reference }}
      className="font-mono text-xs break-all text-accent hover:underline"
    >
      {reference}
    </Link>
  );
}
