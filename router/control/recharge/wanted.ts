/**
 * Decides whether a started recharge is still wanted. This runs before each attempt, in the
 * transaction that records the attempt, so that nobody can turn auto-recharge off in between.
 */
import type { Db } from '../../store/procedure.ts';
import type { PaymentRow, RechargeRow } from '../../store/schema/payments.ts';
import { findCustomer } from '../payments/procedures.ts';
import { isLow, lockRecharge, spentInMonth } from './procedures.ts';

/**
 * For procedures that have locked the organization and the payment. Returns null when the recharge
 * is still wanted, and otherwise the reason why not.
 */
export async function whyUnwanted(
  db: Db,
  payment: PaymentRow,
  now: number,
): Promise<string | null> {
  const { organization } = payment;
  const { deleted, status } = await db
    .selectFrom('organizations')
    .select(['deleted', 'status'])
    .where('id', '=', organization)
    .executeTakeFirstOrThrow();
  if (deleted !== null) return 'the organization was deleted';
  if (status !== 'active') return 'the organization is suspended';
  const recharge = await lockRecharge(db, organization);
  if (recharge?.enabled !== 1n) return 'auto-recharge was switched off';
  const customer = await findCustomer(db, organization, payment.provider);
  if ((customer?.method ?? null) === null) return 'the payment method was removed';
  if (customer?.method !== payment.method || customer?.customer !== payment.customer) {
    return 'another payment method is saved now';
  }
  return await whyNotDue(db, recharge, payment, now);
}

async function whyNotDue(
  db: Db,
  recharge: RechargeRow,
  { organization, amount }: PaymentRow,
  now: number,
): Promise<string | null> {
  if (recharge.amount !== amount) return 'another amount is set by now';
  if (!(await isLow(db, recharge))) return 'the balance is not low any more';
  const { monthly_cap: cap } = recharge;
  // The sum includes this payment.
  const isOver = cap !== null && (await spentInMonth(db, organization, now)) > cap;
  return isOver ? 'the monthly cap was lowered' : null;
}
