/**
 * The state machines of payments and refunds, and the only functions that change a state. While a
 * payment or refund is not final, `look_at` is the time at which the provider is asked next. The
 * tasks `payments`, `refunds` and `stranded` end every payment and refund, even if messages are
 * lost.
 */
import { milliseconds } from '../../store/milliseconds.ts';
import type { Db } from '../../store/procedure.ts';
import type { PaymentRow, RefundRow } from '../../store/schema/payments.ts';

/**
 * A payment in `failed` or `expired` may still succeed, when the money arrives late. A failed
 * checkout may fail again, with another card.
 */
export const PAYMENT_NEXT: Readonly<Record<PaymentRow['state'], readonly PaymentRow['state'][]>> = {
  open: ['pending', 'succeeded', 'failed', 'expired'],
  pending: ['succeeded', 'failed'],
  failed: ['failed', 'expired', 'succeeded'],
  expired: ['succeeded'],
  succeeded: [],
};

/** A refund that was paid out may still fail, when the payer's bank rejects it. */
export const REFUND_NEXT: Readonly<Record<RefundRow['state'], readonly RefundRow['state'][]>> = {
  pending: ['succeeded', 'failed'],
  succeeded: ['failed'],
  failed: [],
};

/**
 * Whether the provider may still decide something about a payment, so that it must be looked up.
 */
export function isWatched({ purpose, state }: Pick<PaymentRow, 'purpose' | 'state'>): boolean {
  if (state === 'open' || state === 'pending') return true;
  // Until a checkout expires, another card can be tried there. A recharge is tried once.
  return state === 'failed' && purpose !== 'recharge';
}

type PaymentChange = Partial<
  Pick<
    PaymentRow,
    | 'reference'
    | 'paid'
    | 'transfer'
    | 'receipt'
    | 'receipt_series'
    | 'receipt_number'
    | 'seller'
    | 'buyer'
    | 'reason'
  >
>;

/**
 * For procedures that have locked the payment: changes its state. Throws for a transition that the
 * table does not allow, which is a bug.
 */
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
      ...(to !== 'pending' && { ended: milliseconds(now) }),
      ...(!isWatched({ purpose, state: to }) && { look_at: null }),
    })
    .where('id', '=', id)
    .where('state', '=', state)
    .returning('id')
    .executeTakeFirstOrThrow();
}

/**
 * For procedures: changes a refund's state. Throws for a transition that the table does not allow.
 */
export async function moveRefund(
  db: Db,
  { id, state }: Pick<RefundRow, 'id' | 'state'>,
  to: 'succeeded' | 'failed',
  now: number,
): Promise<void> {
  if (!REFUND_NEXT[state].includes(to)) throw new Error(`${id} cannot go from ${state} to ${to}`);
  await db
    .updateTable('refunds')
    .set({ state: to, look_at: null, ended: milliseconds(now) })
    .where('id', '=', id)
    .where('state', '=', state)
    .returning('id')
    .executeTakeFirstOrThrow();
}

/**
 * For procedures: locks a payment until the transaction ends. Lock its organization and account
 * before it.
 */
export async function lockPayment(db: Db, id: PaymentRow['id']): Promise<PaymentRow | undefined> {
  return await db
    .updateTable('payments')
    .set((row) => ({ state: row.ref('state') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}
