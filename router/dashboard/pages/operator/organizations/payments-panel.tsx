import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Organization } from '../../../../../shared/api/organizations.ts';
import type { Payment } from '../../../../../shared/api/payments.ts';
import { paymentsQuery } from '../../../api/billing.ts';
import { purposeName } from '../../../format/money-words.ts';
import { Button } from '../../../parts/form/button.tsx';
import { LoadedList } from '../../../parts/list/loaded-list.tsx';
import { Panel } from '../../../parts/page.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { ACTIONS, foremost, numeric, Table, Td, TimeCell } from '../../../parts/list/table.tsx';
import { Dash } from '../../../parts/shown.tsx';
import { ReceiptLink } from '../../billing/receipt-link.tsx';
import { Nothing } from '../nothing.tsx';
import { PaymentAmount, PaymentReturned, PaymentStanding } from '../payments/payment-cells.tsx';
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
            <PaymentStanding payment={payment} />
          </Td>
          <Td right>
            <PaymentAmount payment={payment} />
          </Td>
          <Td right>
            <PaymentReturned payment={payment} />
          </Td>
          <Td>{payment.receipt === null ? <Dash /> : <ReceiptLink payment={payment} />}</Td>
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
