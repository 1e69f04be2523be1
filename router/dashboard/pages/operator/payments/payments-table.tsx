import { Link, useNavigate } from '@tanstack/react-router';
import type { CustomerPayment } from '../../../../../shared/api/payments.ts';
import { purposeName } from '../../../format/money-words.ts';
import { PAGES } from '../../../pages.ts';
import { opensOnClick } from '../../../parts/list/row-click.ts';
import { foremost, numeric, Table, Td, TimeCell } from '../../../parts/list/table.tsx';
import { Dash } from '../../../parts/shown.tsx';
import { receiptPath } from '../../billing/receipt-link.tsx';
import { PageLink } from '../../billing/page-link.tsx';
import { PaymentAmount, PaymentReturned, PaymentStanding } from './payment-cells.tsx';

export function AllPaymentsTable({ rows }: { rows: readonly CustomerPayment[] }) {
  return (
    <Table
      label="Payments"
      columns={[
        'Started',
        { name: 'Organization', card: 'title' },
        'Purpose',
        'Status',
        foremost(numeric('Amount')),
        numeric('Refunded'),
        'Receipt',
      ]}
    >
      {rows.map((payment) => (
        <Row key={payment.id} payment={payment} />
      ))}
    </Table>
  );
}

function Row({ payment }: { payment: CustomerPayment }) {
  const { id, organization, organization_name: name, purpose, provider, receipt } = payment;
  const navigate = useNavigate();
  // What can be done with a payment is on the page of its organization.
  const money = {
    to: PAGES.anOrganization.path,
    params: { organization },
    search: { view: 'money' },
  } as const;
  return (
    <tr
      className="cursor-pointer hover:bg-hover"
      onClick={opensOnClick(() => void navigate(money))}
    >
      <TimeCell at={payment.created} />
      <Td className="max-w-72">
        <Link
          {...money}
          className="block truncate font-medium hover:underline"
          title={name ?? organization}
        >
          {name ?? organization}
        </Link>
      </Td>
      <Td className="whitespace-nowrap">
        {purposeName(purpose)}, {provider}
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
      <Td>
        {receipt === null ? (
          <Dash />
        ) : (
          <PageLink href={receiptPath(organization, id)}>{receipt}</PageLink>
        )}
      </Td>
    </tr>
  );
}
