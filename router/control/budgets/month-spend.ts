/** The spend of the current calendar month (UTC), and what it will be at the end of the month. */
import { monthOf, startOfMonth } from '../../store/month.ts';
import type { SpendByDay } from '../../usage/ledger-days/spend.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import { ordinalOf } from '../../usage/time-buckets.ts';

/** The forecast continues the rate of this many complete days. */
const RATE_DAYS = 7;

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

/**
 * `days` has the days from `firstDay` on. The rate is that of the last complete days, from the first
 * of them with spend on, so that a new customer's forecast is not too low.
 */
export function monthSpend(days: SpendByDay, now: number): MonthSpend {
  const month = monthOf(now);
  const today = ordinalOf('day', now);
  const monthStart = startOfMonth(month) / DAY_MS;
  let spent = 0n;
  for (const [day, cost] of days) if (day >= monthStart) spent += cost;
  const recent = [...days].filter(
    ([day, cost]) => day >= today - RATE_DAYS && day < today && cost > 0n,
  );
  if (recent.length === 0) return { month, spent, forecast: null };
  const sum = recent.reduce((all, [, cost]) => all + cost, 0n);
  const rateDays = today - Math.min(...recent.map(([day]) => day));
  const leftMs = startOfMonth(month + 1n) - now;
  const toCome = (sum * BigInt(Math.round(leftMs))) / BigInt(rateDays * DAY_MS);
  return { month, spent, forecast: spent + toCome };
}
