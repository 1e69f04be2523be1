/** Every payment that was started, with its state and receipt. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Receipt } from 'lucide-react';
import { useState } from 'react';
import type { Payment } from '../../../../shared/api/payments.ts';
import { paymentsQuery } from '../../api/billing.ts';
import { failureReason } from '../../../../shared/payment-failures.ts';
import { refundsOf } from '../../../../shared/payment-refunds.ts';
import { paymentState, purposeName } from '../../format/money-words.ts';
import { Button } from '../../parts/form/button.tsx';
import { LoadedList } from '../../parts/list/loaded-list.tsx';
import { Panel } from '../../parts/page.tsx';
import { opensOnClick } from '../../parts/list/row-click.ts';
import { Dash, Money, StateBadge } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { foremost, numeric, Table, Td, TimeCell } from '../../parts/list/table.tsx';
import { useOrganization } from '../../session.tsx';
import { PaymentDialog } from './payment-dialog.tsx';
import { ReceiptLink } from './receipt-link.tsx';
import { TryAgain } from './try-again.tsx';

export function Payments() {
  const query = useInfiniteQuery(paymentsQuery(useOrganization()));
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <Panel title="Payments" flush>
      <LoadedList
        list={query}
        empty={
          <Empty icon={<Receipt />} title="No payments yet">
            Top-ups and auto-recharges appear here with their receipts.
          </Empty>
        }
      >
        {(payments) => (
          <Table
            label="Payments"
            columns={[
              'Date',
              { name: 'Purpose', card: 'title' },
              'Status',
              foremost(numeric('Amount')),
              'Receipt',
              { name: 'Details', hidden: true },
            ]}
          >
            {payments.map((payment) => (
              <Row key={payment.id} payment={payment} onOpen={() => setOpened(payment.id)} />
            ))}
          </Table>
        )}
      </LoadedList>
      {opened !== null && <PaymentDialog id={opened} onClose={() => setOpened(null)} />}
    </Panel>
  );
}

function Row({ payment, onOpen }: { payment: Payment; onOpen: () => void }) {
  const { created, purpose, state, reason, amount, paid } = payment;
  const sum = paid ?? amount;
  return (
    <tr className="cursor-pointer hover:bg-hover" onClick={opensOnClick(onOpen)}>
      <TimeCell at={created} />
      <Td className="min-w-40">
        {purposeName(purpose)}
        {state === 'failed' && (
          <span className="block text-xs text-muted">{failureReason(reason)}</span>
        )}
      </Td>
      <Td>
        <StateBadge of={paymentState(payment)} />
      </Td>
      <Td right>
        {sum === null ? <Dash /> : <Money amount={sum} />}
        {refundsOf(payment).map(({ name, amount: back }) => (
          <span key={name} className="block text-xs whitespace-nowrap text-muted">
            {name} <Money amount={back} />
          </span>
        ))}
      </Td>
      <Td>{payment.receipt === null ? <Dash /> : <ReceiptLink payment={payment} />}</Td>
      <Td right>
        <div className="flex flex-wrap justify-end gap-2">
          {/* On a phone, the details have it: a row has no room for two buttons. */}
          <span className="max-sm:hidden!">
            <TryAgain payment={payment} />
          </span>
          <Button look="ghost" size="small" onClick={onOpen}>
            Details
          </Button>
        </div>
      </Td>
    </tr>
  );
}
