import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Organization } from '../../../../../shared/api/organizations.ts';
import type { Payment } from '../../../../../shared/api/payments.ts';
import { paymentsQuery } from '../../../api/billing.ts';
import { failureReason } from '../../../../../shared/payment-failures.ts';
import { refundsOf } from '../../../../../shared/payment-refunds.ts';
import { paymentState, purposeName } from '../../../format/money-words.ts';
import { cx } from '../../../parts/class-names.ts';
import { Button } from '../../../parts/form/button.tsx';
import { LoadedList } from '../../../parts/list/loaded-list.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Dash, Money, StateBadge } from '../../../parts/shown.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { ACTIONS, foremost, numeric, Table, Td, TimeCell } from '../../../parts/list/table.tsx';
import { ReceiptLink } from '../../billing/receipt-link.tsx';
import { Nothing } from '../nothing.tsx';
import { leftOf } from './entered.ts';
import { RefundDialog } from './refund-dialog.tsx';

const ROWS = 10;

export function PaymentsPanel({
  organization: { id: organization, billing },
}: {
  organization: Organization;
}) {
  const payments = useInfiniteQuery(paymentsQuery(organization, ROWS));
  const [refunding, setRefunding] = useState<Payment | null>(null);
  // An invoiced organization has payments only from a time when it prepaid.
  if (billing.type === 'invoiced' && payments.data?.length === 0) return null;
  return (
    <Panel
      title="Online payments"
      description="Top-ups and auto-recharges through the payment provider."
      flush
    >
      <LoadedList list={payments} empty={<Nothing flush title="No online payments yet" />}>
        {(rows) => <PaymentsTable rows={rows} onRefund={setRefunding} />}
      </LoadedList>
      {refunding && (
        <RefundDialog
          organization={organization}
          payment={refunding}
          onClose={() => setRefunding(null)}
        />
      )}
    </Panel>
  );
}

type PaymentsTableProps = Readonly<{
  rows: readonly Payment[];
  onRefund: (payment: Payment) => void;
}>;

function PaymentsTable({ rows, onRefund }: PaymentsTableProps) {
  return (
    <Table
      label="Online payments"
      columns={[
        'Started',
        { name: 'Purpose', card: 'title' },
        'Status',
        foremost(numeric('Amount')),
        numeric('Refunded'),
        'Receipt',
        ACTIONS,
      ]}
    >
      {rows.map((payment) => (
        <tr key={payment.id}>
          <TimeCell at={payment.created} />
          <Td className="whitespace-nowrap">
            {purposeName(payment.purpose)}, {payment.provider}
          </Td>
          <Td>
            <StateBadge of={paymentState(payment)} />
            {payment.reason !== null && (
              <span className="block pt-0.5 text-xs text-muted">
                {failureReason(payment.reason)}
              </span>
            )}
          </Td>
          <Td right>
            <Amount payment={payment} />
          </Td>
          <Td right>
            <Refunds payment={payment} />
            {payment.disputed !== '0' && (
              <span className="block text-xs text-bad">
                <Money amount={payment.disputed} exact /> disputed
              </span>
            )}
          </Td>
          <Td>
            {payment.receipt === null ? (
              <span className="text-muted">None</span>
            ) : (
              <ReceiptLink payment={payment} />
            )}
          </Td>
          <Td right>
            {leftOf(payment) !== '0' && (
              <ForAdministrators>
                <Button
                  size="small"
                  aria-label={`Refund ${payment.receipt ?? payment.id}`}
                  onClick={() => onRefund(payment)}
                >
                  Refund
                </Button>
              </ForAdministrators>
            )}
          </Td>
        </tr>
      ))}
    </Table>
  );
}

/** What was paid, or else what was asked for. A payment that only saves a method has no amount. */
function Amount({ payment: { paid, amount } }: { payment: Payment }) {
  if (paid !== null) return <Money amount={paid} exact />;
  if (amount === null) return <Dash />;
  return (
    <span className="text-muted">
      <Money amount={amount} exact />
    </span>
  );
}

/** The column says what is refunded, so only what is on its way needs a name. */
function Refunds({ payment }: { payment: Payment }) {
  const refunds = refundsOf(payment);
  if (refunds.length === 0) return <Dash />;
  return refunds.map(({ name, amount }, at) =>
    name === 'Refunded' ? (
      <Money key={name} amount={amount} exact />
    ) : (
      <span key={name} className={cx('text-xs whitespace-nowrap text-muted', at > 0 && 'block')}>
        <Money amount={amount} exact /> pending
      </span>
    ),
  );
}
