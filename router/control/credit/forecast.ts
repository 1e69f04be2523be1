/** For how long the credit of an organization lasts at the recent rate of its spend. */
import type { CreditForecast } from '../../../shared/api/credit.ts';
import { RATE_DAYS, spendRate } from '../../../shared/spend-rate.ts';
import type { SpendByDay } from '../../usage/ledger-days/spend.ts';
import { ordinalOf } from '../../usage/time-buckets.ts';

/** The first day (since 1970) that `creditForecast` reads. */
export function forecastStart(now: number): number {
  return ordinalOf('day', now) - RATE_DAYS;
}

/**
 * Continues the rate of the last complete days. If today is the first day of spend, its spend so
 * far is the rate. `spend` has the days from `forecastStart` on, `available` is in pico-USD.
 */
export function creditForecast(spend: SpendByDay, available: bigint, now: number): CreditForecast {
  const today = ordinalOf('day', now);
  const on = (day: number) => spend.get(day) ?? 0n;
  const complete = Array.from({ length: RATE_DAYS }, (_, at) => on(today - RATE_DAYS + at));
  const rate = spendRate(complete);
  const { spent, days } = rate ?? { spent: on(today), days: 1 };
  if (spent <= 0n || available <= 0n) return { days: null, rate_days: null };
  const lasts = (available * BigInt(days)) / spent;
  // More days than a program can count are no forecast: almost nothing was spent.
  if (lasts > BigInt(Number.MAX_SAFE_INTEGER)) return { days: null, rate_days: null };
  return { days: Number(lasts), rate_days: rate?.days ?? null };
}
