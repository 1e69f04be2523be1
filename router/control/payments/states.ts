/**
 * The states of payments and refunds as data, and the one door through which each changes. A state that is not final
 * is watched: `look_at` says when the provider is asked next, and the rounds `payments`, `refunds` and `stranded` end
 * it whatever was lost on the way.
 */
import type { Db } from '../../store/procedure.ts';
import type { PaymentRow, RefundRow } from '../../store/schema/payments.ts';

/**
 * `failed` and `expired` may still succeed, when the money comes late. A checkout that failed may fail again, with
 * another card.
 */
export const PAYMENT_NEXT: Readonly<Record<PaymentRow['state'], readonly PaymentRow['state'][]>> = {
  open: ['pending', 'succeeded', 'failed', 'expired'],
  pending: ['succeeded', 'failed'],
  failed: ['failed', 'expired', 'succeeded'],
  expired: ['succeeded'],
  succeeded: [],
};

/** A refund that was paid out may come back, when the payer's bank does not take it. */
export const REFUND_NEXT: Readonly<Record<RefundRow['state'], readonly RefundRow['state'][]>> = {
  pending: ['succeeded', 'failed'],
  succeeded: ['failed'],
  failed: [],
};

/** Whether the provider may still decide something about a payment, so that it has to be asked. */
export function isWatched({ purpose, state }: Pick<PaymentRow, 'purpose' | 'state'>): boolean {
  if (state === 'open' || state === 'pending') return true;
  // Until its checkout runs out, another card may be tried there. A recharge is tried once.
  return state === 'failed' && purpose !== 'recharge';
}

type PaymentChange = Partial<
  Pick<PaymentRow, 'reference' | 'paid' | 'transfer' | 'receipt' | 'reason'>
>;

/** For procedures that have locked the payment. Throws where the table has no such step: that is our mistake. */
export async function movePayment(
  db: Db,
  payment: Pick<PaymentRow, 'id' | 'purpose' | 'state'>,
  to: PaymentRow['state'],
  { now, ...change }: PaymentChange & Readonly<{ now: number }>,
): Promise<void> {
  const { id, purpose, state } = payment;
  if (!PAYMENT_NEXT[state].includes(to)) throw new Error(`${id} cannot go from ${state} to ${to}`);
  await db
    .updateTable('payments')
    .set({
      ...change,
      state: to,
      ...(to !== 'pending' && { ended: BigInt(Math.round(now)) }),
      ...(!isWatched({ purpose, state: to }) && { look_at: null }),
    })
    .where('id', '=', id)
    .where('state', '=', state)
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** The same for a refund. */
export async function moveRefund(
  db: Db,
  { id, state }: Pick<RefundRow, 'id' | 'state'>,
  to: 'succeeded' | 'failed',
  now: number,
): Promise<void> {
  if (!REFUND_NEXT[state].includes(to)) throw new Error(`${id} cannot go from ${state} to ${to}`);
  await db
    .updateTable('refunds')
    .set({ state: to, look_at: null, ended: BigInt(Math.round(now)) })
    .where('id', '=', id)
    .where('state', '=', state)
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** For procedures: holds a payment's row until the transaction ends. After its organization and its account. */
export async function lockPayment(db: Db, id: PaymentRow['id']): Promise<PaymentRow | undefined> {
  return await db
    .updateTable('payments')
    .set((row) => ({ state: row.ref('state') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}
