/** Whether an organization is short of credit. */
import type { z } from 'zod';
import type { CreditForecast, CreditState } from '../../../shared/api/credit.ts';
import type { Organization } from '../../../shared/api/organizations.ts';
import type { Recharge } from '../../../shared/api/payments.ts';
import { isShort } from '../format/credit-forecast.ts';
import { picoOf } from '../format/usd.ts';

export type Balance = 'fine' | 'low' | 'empty';

/** An organization without a threshold is low on credit when less than this is available. */
const LOW_USD = '1';

type RechargeShown = Pick<Recharge, 'state'>;

type CreditShown = Pick<z.infer<typeof CreditState>, 'balance' | 'available'> &
  Readonly<{ recharge: RechargeShown }>;

type Known = Readonly<{
  /** See `thresholdOf`. */
  threshold: string | null;
  /** Undefined while it is loading. */
  forecast: CreditForecast | undefined;
  /** Whether there is credit, and it covers no request. */
  isTooLittle: boolean;
}>;

/**
 * `empty`: the credit is used up, or too little is left, so requests are refused. `low`: auto-recharge is not about to add
 * credit, and the balance is below the threshold, the credit lasts for a few days only, or, without
 * a threshold, little credit is available.
 */
export function balanceOf(
  credit: CreditShown,
  { threshold, forecast, isTooLittle }: Known,
): Balance {
  if (isUsedUp(credit) || isTooLittle) return 'empty';
  if (isRecharging(credit.recharge)) return 'fine';
  if (forecast && isShort(forecast)) return 'low';
  const isBelow =
    threshold === null
      ? picoOf(credit.available) < picoOf(LOW_USD)
      : picoOf(credit.balance) < picoOf(threshold);
  return isBelow ? 'low' : 'fine';
}

/** Whether no credit is available, so that no request is covered. */
export function isUsedUp({ available }: Pick<CreditShown, 'available'>): boolean {
  return picoOf(available) <= 0n;
}

/**
 * Whether the organization owes more than it may, as after a dispute. It is suspended then until
 * credit is added.
 */
export function owes({ available }: Pick<CreditShown, 'available'>): boolean {
  return picoOf(available) < 0n;
}

/** Null without one, and for invoiced organizations, whose balance may be negative. */
export function thresholdOf({
  billing,
  low_balance_threshold: threshold,
}: Pick<Organization, 'billing' | 'low_balance_threshold'>): string | null {
  return billing.type === 'invoiced' ? null : threshold;
}

/** Whether auto-recharge adds credit before it runs out. */
export function isRecharging({ state }: RechargeShown): boolean {
  return state === 'ready' || state === 'paying';
}
