/**
 * Starts a refund: debits its amount from the balance, and inserts our refund row and the job that
 * requests it from the provider, in one transaction (MONEY 4).
 */
import type { PersonId, TransferId } from '../../../shared/ids.ts';
import { picoUsd } from '../../../shared/money.ts';
import { enqueue } from '../../jobs/queue.ts';
import { refund } from '../../ledger/payments.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { Db } from '../../store/procedure.ts';
import type { PaymentRow, RefundRow } from '../../store/schema/payments.ts';

export const REFUND = 'refund';

/**
 * The job requests the refund at once. If it has no result after this time, the task repeats the
 * request.
 */
export const REFUND_LOOK_MS = 60 * 60 * 1000;

type RefundTaken = Readonly<{
  id: TransferId;
  amount: bigint;
  reason: string;
  person: PersonId | null;
  created: number;
}>;

/**
 * For procedures that have locked the organization and the payment. `insufficient`: the balance
 * does not have the amount any more.
 */
export async function takeRefund(
  db: Db,
  { id: payment, organization }: PaymentRow,
  { id, amount, reason, person, created }: RefundTaken,
): Promise<RefundRow | 'insufficient'> {
  const asked = { id, organization, amount: picoUsd(amount), reference: payment, reason, created };
  const answer = await refund.run(db, asked);
  if (answer === 'insufficient') return answer;
  if (typeof answer === 'string') throw new Error(`a refund was not started: ${answer}`);
  const at = milliseconds(created);
  const row = await db
    .insertInto('refunds')
    .values({
      id,
      payment,
      organization,
      amount,
      state: 'pending',
      taken_as: 'asked',
      reason,
      person,
      asked: null,
      asks: 0n,
      look_at: at + BigInt(REFUND_LOOK_MS),
      created: at,
      ended: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await enqueue(db, {
    kind: REFUND,
    subject: organization,
    idempotencyKey: `${REFUND}/${id}`,
    payload: { refund: id },
    created,
  });
  await db
    .updateTable('payments')
    .set((columns) => ({ refunded: columns('refunded', '+', amount) }))
    .where('id', '=', payment)
    .execute();
  return row;
}
