import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Payment } from '../../../../shared/api/payments.ts';
import { rowsOf } from '../../api/lists.ts';
import { paymentsOf } from '../../api/platform.ts';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/page.tsx';
import { Badge, Money, type Tone, When } from '../../parts/shown.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { More, Table, Td, Th } from '../../parts/table.tsx';
import { leftOf } from './entered.ts';
import { RefundDialog } from './refund-dialog.tsx';

export function PaymentsPanel({ organization }: { organization: string }) {
  const payments = useInfiniteQuery(paymentsOf(organization));
  const [refunding, setRefunding] = useState<Payment | null>(null);
  return (
    <Panel title="Payments" flush>
      <Loaded query={payments}>
        {(data) => <PaymentsTable rows={rowsOf(data)} onRefund={setRefunding} />}
      </Loaded>
      <More list={payments} />
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

const STATES: Readonly<Record<Payment['state'], Readonly<{ name: string; tone: Tone }>>> = {
  open: { name: 'Open', tone: 'neutral' },
  pending: { name: 'Pending', tone: 'accent' },
  succeeded: { name: 'Succeeded', tone: 'good' },
  failed: { name: 'Failed', tone: 'bad' },
  expired: { name: 'Expired', tone: 'neutral' },
};

type PaymentsTableProps = Readonly<{
  rows: readonly Payment[];
  onRefund: (payment: Payment) => void;
}>;

function PaymentsTable({ rows, onRefund }: PaymentsTableProps) {
  if (rows.length === 0) return <Empty title="No payments yet" />;
  return (
    <Table
      label="Payments"
      head={
        <>
          <Th>Begun</Th>
          <Th>What for</Th>
          <Th>State</Th>
          <Th right>Paid</Th>
          <Th right>Paid back</Th>
          <Th>Receipt</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </>
      }
    >
      {rows.map((payment) => (
        <tr key={payment.id}>
          <Td>
            <When at={payment.created} />
          </Td>
          <Td className="whitespace-nowrap">
            {payment.purpose}, {payment.provider}
          </Td>
          <Td>
            <Badge tone={STATES[payment.state].tone}>{STATES[payment.state].name}</Badge>
            {payment.reason !== null && (
              <span className="block pt-0.5 text-xs text-muted">{payment.reason}</span>
            )}
          </Td>
          <Td right>{payment.paid === null ? '–' : <Money amount={payment.paid} exact />}</Td>
          <Td right>
            <Money amount={payment.refunded} exact />
            {payment.disputed !== '0' && (
              <span className="block text-xs text-bad">
                <Money amount={payment.disputed} exact /> disputed
              </span>
            )}
          </Td>
          <Td>{payment.receipt ?? <span className="text-muted">None</span>}</Td>
          <Td right>
            {leftOf(payment) !== '0' && (
              <Button
                size="small"
                aria-label={`Refund ${payment.receipt ?? payment.id}`}
                onClick={() => onRefund(payment)}
              >
                Refund
              </Button>
            )}
          </Td>
        </tr>
      ))}
    </Table>
  );
}
