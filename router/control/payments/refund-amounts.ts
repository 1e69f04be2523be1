/** How much of a payment is about to be refunded, and how much could not be. */
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
     * The latest refund, if the provider could not pay it out. It is back in the balance, and does
     * not count as refunded.
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
  const pending = refunds.filter(({ state }) => state === 'pending');
  const latest = refunds.at(-1);
  return {
    refundPending: pending.reduce((sum, { amount }) => sum + amount, 0n),
    refundFailed: latest?.state === 'failed' ? latest.amount : 0n,
  };
}

/** The latest is the last. */
async function refundsOf(db: Db, payments: readonly PaymentRow[]): Promise<readonly Known[]> {
  const paid = payments.filter((payment) => payment.paid !== null).map(({ id }): PaymentId => id);
  if (paid.length === 0) return [];
  return await db
    .selectFrom('refunds')
    .select(['payment', 'amount', 'state'])
    .where('payment', 'in', paid)
    // The ids of refunds that were made at the provider are no times.
    .orderBy('created')
    .orderBy('id')
    .execute();
}
