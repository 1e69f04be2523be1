/** How much of a payment is about to be refunded, and how much could not be. */
import { type Expression, sql, type SqlBool } from 'kysely';
import type { PaymentId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';
import type { PaymentRow, RefundRow } from '../../store/schema/payments.ts';

export type PaymentWithRefunds = PaymentRow &
  Readonly<{
    /**
     * The refunds that the provider has not confirmed. They have left the balance, and count as
     * refunded, but the payer may not have them yet.
     */
    refundPending: bigint;
    /**
     * The refunds that failed, without those after which another one was made. They went back to the
     * balance, and do not count as refunded.
     */
    refundFailed: bigint;
  }>;

/** For procedures. */
export async function withRefunds(db: Db, payment: PaymentRow): Promise<PaymentWithRefunds> {
  const refunds = await refundsOf(db, [payment]);
  return { ...payment, ...amountsOf(refunds) };
}

/** For procedures. */
export async function allWithRefunds(
  db: Db,
  payments: readonly PaymentRow[],
): Promise<PaymentWithRefunds[]> {
  const refunds = Map.groupBy(await refundsOf(db, payments), ({ payment }) => payment);
  return payments.map((payment) => ({ ...payment, ...amountsOf(refunds.get(payment.id) ?? []) }));
}

type Known = Pick<RefundRow, 'payment' | 'amount' | 'state'>;

function amountsOf(
  refunds: readonly Known[],
): Pick<PaymentWithRefunds, 'refundPending' | 'refundFailed'> {
  const sumOf = (wanted: RefundRow['state']) =>
    refunds.filter(({ state }) => state === wanted).reduce((sum, { amount }) => sum + amount, 0n);
  return { refundPending: sumOf('pending'), refundFailed: sumOf('failed') };
}

/** Those that are pending, and those that failed as `refundFailed` counts them. */
async function refundsOf(db: Db, payments: readonly PaymentRow[]): Promise<readonly Known[]> {
  const paid = payments.filter((payment) => payment.paid !== null).map(({ id }): PaymentId => id);
  if (paid.length === 0) return [];
  return await db
    .selectFrom('refunds')
    .select(['payment', 'amount', 'state'])
    .where('payment', 'in', paid)
    .where((refund) => refund.or([refund('state', '=', 'pending'), hasFailedLast()]))
    .execute();
}

/**
 * Whether a refund failed and no other refund of its payment was made after that. The condition is for
 * rows of `refunds`.
 */
export function hasFailedLast(): Expression<SqlBool> {
  return sql<SqlBool>`(refunds.state = 'failed' and not exists (
    select 1 from refunds as later
    where later.payment = refunds.payment and later.id <> refunds.id
      and later.created >= refunds.ended
  ))`;
}
