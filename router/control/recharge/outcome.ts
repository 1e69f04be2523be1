/**
 * Updates auto-recharge when one of its payments ends: it continues, waits, or is paused with an
 * email.
 */
import { milliseconds } from '../../store/milliseconds.ts';
import type { Db } from '../../store/procedure.ts';
import type { PaymentRow } from '../../store/schema/payments.ts';
import { postLetter } from '../mail/letter.ts';

const FAILURES_MAX = 3n;
/** How long to wait after the first failure, and after the second. */
const WAITS_MS = [60_000n, 10n * 60_000n] as const;

export async function rechargeSucceeded(db: Db, { id, organization }: PaymentRow): Promise<void> {
  await db
    .updateTable('recharges')
    .set({ failures: 0n, waits_until: null })
    .where('organization', '=', organization)
    .execute();
  await release(db, { id, organization });
}

/** For a payment that was in progress until now. Does nothing for another payment. */
export async function rechargeFailed(
  db: Db,
  { id, organization }: PaymentRow,
  now: number,
): Promise<void> {
  const at = milliseconds(now);
  const recharge = await db
    .updateTable('recharges')
    .set((row) => ({ failures: row('failures', '+', 1n) }))
    .where('organization', '=', organization)
    .where('payment', '=', id)
    .returning(['failures', 'paused'])
    .executeTakeFirst();
  if (!recharge) return;
  await release(db, { id, organization });
  const { failures } = recharge;
  const isPaused = failures >= FAILURES_MAX;
  await db
    .updateTable('recharges')
    .set(
      isPaused
        ? { paused: at, waits_until: null }
        : { waits_until: at + (WAITS_MS[Number(failures) - 1] ?? 0n) },
    )
    .where('organization', '=', organization)
    .execute();
  const kind = isPaused ? 'recharge-paused' : 'recharge-failed';
  await postLetter(db, { kind, organization, payment: id }, { occasion: id, created: now });
}

/**
 * For a payment that was not charged because it is not wanted any more. The next recharge may start
 * when it is wanted.
 */
export async function rechargeWithdrawn(db: Db, payment: PaymentRow): Promise<void> {
  await release(db, payment);
}

async function release(db: Db, { id, organization }: Pick<PaymentRow, 'id' | 'organization'>) {
  await db
    .updateTable('recharges')
    .set({ payment: null })
    .where('organization', '=', organization)
    .where('payment', '=', id)
    .execute();
}
