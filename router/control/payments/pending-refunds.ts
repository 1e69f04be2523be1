/**
 * Refunds that the provider has not confirmed. Their amounts have left the balance, and count as
 * refunded, but the payer may not have them yet.
 */
import type { PaymentId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';
import type { PaymentRow, RefundRow } from '../../store/schema/payments.ts';

export type PaymentWithPendingRefunds = PaymentRow & Readonly<{ refundPending: bigint }>;

/** For procedures: a payment with the sum of its pending refunds. */
export async function withPendingRefunds(
  db: Db,
  payment: PaymentRow,
): Promise<PaymentWithPendingRefunds> {
  const [known] = await allWithPendingRefunds(db, [payment]);
  return { ...payment, refundPending: known?.refundPending ?? 0n };
}

/** For procedures: each payment with the sum of its pending refunds. */
export async function allWithPendingRefunds(
  db: Db,
  payments: readonly PaymentRow[],
): Promise<PaymentWithPendingRefunds[]> {
  const refunded = payments.filter((payment) => payment.refunded > 0n).map(({ id }) => id);
  const refunds = refunded.length === 0 ? [] : await pendingOf(db, refunded);
  return payments.map((payment) => {
    const own = refunds.filter((refund) => refund.payment === payment.id);
    return { ...payment, refundPending: own.reduce((sum, { amount }) => sum + amount, 0n) };
  });
}

async function pendingOf(
  db: Db,
  payments: readonly PaymentId[],
): Promise<readonly Pick<RefundRow, 'payment' | 'amount'>[]> {
  return await db
    .selectFrom('refunds')
    .select(['payment', 'amount'])
    .where('payment', 'in', payments)
    .where('state', '=', 'pending')
    .execute();
}
