/** The spend of the current calendar month (UTC), and what it will be at the end of the month. */
import { monthOf, startOfMonth } from '../../store/month.ts';
import type { SpendByDay } from '../../usage/ledger-days/spend.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import { RATE_DAYS, spendRate } from '../../../shared/spend-rate.ts';
import { ordinalOf } from '../../usage/time-buckets.ts';

/** Amounts are in pico-USD. */
export type MonthSpend = Readonly<{
  /** As the store counts months. */
  month: bigint;
  spent: bigint;
  /** Null when nothing was spent on the last complete days, so that there is no rate. */
  forecast: bigint | null;
}>;

/** The first day (since 1970) that `monthSpend` reads. */
export function firstDay(now: number): number {
  const monthStart = startOfMonth(monthOf(now)) / DAY_MS;
  return Math.min(monthStart, ordinalOf('day', now) - RATE_DAYS);
}

/** `days` has the days from `firstDay` on. */
export function monthSpend(days: SpendByDay, now: number): MonthSpend {
  const month = monthOf(now);
  const today = ordinalOf('day', now);
  const monthStart = startOfMonth(month) / DAY_MS;
  let spent = 0n;
  for (const [day, cost] of days) if (day >= monthStart) spent += cost;
  const complete = Array.from({ length: RATE_DAYS }, (_, at) => today - RATE_DAYS + at);
  const rate = spendRate(complete.map((day) => days.get(day) ?? 0n));
  if (rate === null) return { month, spent, forecast: null };
  const leftMs = startOfMonth(month + 1n) - now;
  const toCome = (rate.spent * BigInt(Math.round(leftMs))) / BigInt(rate.days * DAY_MS);
  return { month, spent, forecast: spent + toCome };
}
