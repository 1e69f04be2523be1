/** Decides which payment that was not paid is offered to be tried again. */
import type { Payment } from '../../../../shared/api/payments.ts';

const UNPAID: readonly Payment['state'][] = ['open', 'expired', 'failed'];

/** A top-up whose checkout was left: it has not been paid, and no payment of it is being processed. */
export function isLeft({ purpose, state }: Payment): boolean {
  return purpose === 'top-up' && UNPAID.includes(state);
}

/**
 * Returns the amount to try again, or null when the payment is not offered again. It is offered only
 * if it is the newest top-up that was left, and no payment has succeeded since it was started. A
 * payment that was started earlier may succeed later, so the time of its success counts.
 *
 * `listed` are the organization's newest payments, newest first.
 */
export function amountToTryAgain(payment: Payment, listed: readonly Payment[]): string | null {
  if (!isLeft(payment) || listed.find(isLeft)?.id !== payment.id) return null;
  const hasPaidSince = listed.some(
    ({ purpose, state, ended }) =>
      purpose !== 'setup' &&
      state === 'succeeded' &&
      ended !== null &&
      Date.parse(ended) >= Date.parse(payment.created),
  );
  return hasPaidSince ? null : payment.amount;
}
