/** What a payment was of, and what was returned of it, in lists for operators. */
import type { Payment } from '../../../../../shared/api/payments.ts';
import { failureReason } from '../../../../../shared/payment-failures.ts';
import { refundsOf } from '../../../../../shared/payment-refunds.ts';
import { paymentState } from '../../../format/money-words.ts';
import { cx } from '../../../parts/class-names.ts';
import { Dash, Money, StateBadge } from '../../../parts/shown.tsx';

type Props = Readonly<{ payment: Payment }>;

/** The state, and why the payment or its latest refund failed. */
export function PaymentStanding({ payment }: Props) {
  const { refund_failed: unrefunded = '0' } = payment;
  return (
    <>
      <StateBadge of={paymentState(payment)} />
      {unrefunded !== '0' && (
        <span className="block pt-0.5 text-xs text-bad">
          Refund failed: <Money amount={unrefunded} exact /> went back to the balance
        </span>
      )}
      {payment.reason !== null && (
        <span className="block pt-0.5 text-xs text-muted">{failureReason(payment.reason)}</span>
      )}
    </>
  );
}

/** What was paid, or else what was asked for. A payment that only saves a method has no amount. */
export function PaymentAmount({ payment: { paid, amount } }: Props) {
  if (paid !== null) return <Money amount={paid} exact />;
  if (amount === null) return <Dash />;
  return (
    <span className="text-muted">
      <Money amount={amount} exact />
    </span>
  );
}

/** Refunds and disputes. */
export function PaymentReturned({ payment }: Props) {
  return (
    <>
      <Refunds payment={payment} />
      {payment.disputed !== '0' && (
        <span className="block text-xs text-bad">
          <Money amount={payment.disputed} exact /> disputed
        </span>
      )}
    </>
  );
}

/** The column says what is refunded, so only what is on its way needs a name. */
function Refunds({ payment }: Props) {
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
