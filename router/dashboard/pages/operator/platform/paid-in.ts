/** What customers paid in, without what they got back, and the credit that was granted to them. */
import type { PlatformSummary } from '../../../../../shared/api/platform.ts';
import { picoOf, shownUsd, sumUsd } from '../../../format/usd.ts';

type Money = Pick<PlatformSummary['days'][number], 'payments' | 'refunds' | 'credits'>;

/** Payments less refunds and disputes. The API sends these as negative amounts. */
export function netPaidIn(days: readonly Money[]): string {
  return sumUsd(days.flatMap(({ payments, refunds }) => [payments, refunds]));
}

/**
 * Such as `["$7.50 refunded", "$115.00 of credit granted, less what was removed"]`: only what is not zero. The
 * ledger by day has one sum of granted and removed credit.
 */
export function besidePaidIn(days: readonly Money[]): readonly string[] {
  const refunded = sumUsd(days.map(({ refunds }) => refunds));
  const credits = sumUsd(days.map(({ credits: each }) => each));
  return [
    picoOf(refunded) === 0n ? null : `${shownUsd(sizeOf(refunded))} refunded`,
    picoOf(credits) === 0n
      ? null
      : `${shownUsd(sizeOf(credits))} ${picoOf(credits) > 0n ? 'of credit granted, less what was removed' : 'of credit removed, less what was granted'}`,
  ].filter((part) => part !== null);
}

function sizeOf(amount: string): string {
  return amount.replace('-', '');
}
