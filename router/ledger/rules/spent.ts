/**
 * Counts what was spent in the month and the day (UTC) of the newest operation; earlier ones are
 * not kept. The day is counted as a part of the month, because routers of a version before daily
 * caps add to the month only: what they charge counts in the day all the same, once a router of
 * this version has begun it.
 */
import { DAY_MS } from '../../../shared/durations.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { monthOf } from '../../store/month.ts';
import type { SpentColumns } from '../../store/schema/ledger.ts';

/** The largest value that is counted, which is a 64-bit integer. */
export const SPENT_MAX = 2n ** 63n - 1n;

/** Nothing spent, as of `now` (ms since the epoch). */
export function nothingSpent(now: number): SpentColumns {
  return { month: monthOf(now), spent: 0n, day_from: milliseconds(now), before_day: 0n };
}

/** Begins the month and the day of `now`, if they are later than those of the row. */
export function broughtTo<Row extends SpentColumns>(row: Row, now: number): Row {
  if (monthOf(now) > row.month) return { ...row, ...nothingSpent(now) };
  if (dayOf(now) <= dayOf(Number(row.day_from))) return row;
  return { ...row, day_from: milliseconds(now), before_day: row.spent };
}

/** What was spent in the newest day of the row. */
export function spentInDay({ spent, before_day }: SpentColumns): bigint {
  return spent > before_day ? spent - before_day : 0n;
}

export function withCharge<Row extends SpentColumns>(row: Row, cost: bigint): Row {
  const spent = row.spent + cost;
  // An organization that keeps paying can pass 64 bits in a month; no cap is beyond them.
  return { ...row, spent: spent < SPENT_MAX ? spent : SPENT_MAX };
}

/**
 * Subtracts a reversed charge. One of an earlier month or day is subtracted from this one, at most
 * to zero, because earlier ones are not kept.
 */
export function withReversal<Row extends SpentColumns>(row: Row, cost: bigint): Row {
  const spent = row.spent > cost ? row.spent - cost : 0n;
  return { ...row, spent, before_day: row.before_day < spent ? row.before_day : spent };
}

/** When the day after `now` begins, ms since the epoch. */
export function startOfNextDay(now: number): number {
  return (dayOf(now) + 1) * DAY_MS;
}

function dayOf(instant: number): number {
  return Math.floor(instant / DAY_MS);
}
