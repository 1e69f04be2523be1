/** The lines of the spend of a calendar month (UTC): what was spent, the forecast, and the budget. */
import type { Budget } from '../../../../shared/api/budgets.ts';
import type { LedgerDay } from '../../../../shared/api/credit.ts';
import { DAY_MS } from '../../../../shared/durations.ts';
import { formatUsd } from '../../../../shared/money.ts';
import { heightOf, picoOf } from '../../format/usd.ts';
import { dayText } from '../../format/utc.ts';

type Line = Readonly<{ name: string; other?: boolean; values: readonly (number | null)[] }>;

export type MonthLines = Readonly<{
  /** The days of the month, as ISO 8601. */
  starts: readonly string[];
  series: readonly Line[];
}>;

/**
 * Below this share of the budget, the line of the budget is left out: in its scale, the other lines
 * would be flat.
 */
const BUDGET_SHARE_MIN = 0.2;

/**
 * Each value is the sum at the end of its day. `days`: those of the month on which the balance
 * changed, in any order. `now`: ms since the epoch.
 */
export function monthLines(
  { amount, month, spent, forecast }: Budget,
  days: readonly Pick<LedgerDay, 'day' | 'usage'>[],
  now: number,
): MonthLines {
  const starts = daysOf(month);
  const today = clamp(Math.floor((now - firstOf(month)) / DAY_MS), starts.length - 1);
  const sums = sumsUpTo(starts.slice(0, today), days);
  // The budget was read last, so it has the newest sum.
  const values = [...sums, heightOf(spent)];
  const series: Line[] = [{ name: 'Spent', values: filled(values, starts.length) }];
  if (forecast !== null && today < starts.length - 1) {
    const [from, to] = [heightOf(spent), heightOf(forecast)];
    const rest = starts
      .slice(today)
      .map((_, at, { length }) => from + ((to - from) * at) / (length - 1));
    series.push({ name: 'Forecast', values: [...sums.map(() => null), ...rest] });
  }
  const highest = Math.max(heightOf(spent), heightOf(forecast ?? '0'));
  if (amount !== null && highest >= BUDGET_SHARE_MIN * heightOf(amount)) {
    series.push({ name: 'Budget', other: true, values: starts.map(() => heightOf(amount)) });
  }
  return { starts, series };
}

/** The first day of the month, and the first one of the month after it, as the ledger takes them. */
export function boundsOf(month: string): Readonly<{ start: string; end: string }> {
  return { start: `${month}-01`, end: dayText(firstOf(month) + daysOf(month).length * DAY_MS) };
}

function daysOf(month: string): readonly string[] {
  const first = new Date(firstOf(month));
  const count = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return Array.from({ length: count }, (_, at) =>
    new Date(firstOf(month) + at * DAY_MS).toISOString(),
  );
}

function firstOf(month: string): number {
  return Date.parse(`${month}-01T00:00:00Z`);
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}

function sumsUpTo(
  starts: readonly string[],
  days: readonly Pick<LedgerDay, 'day' | 'usage'>[],
): number[] {
  const usage = new Map(days.map((one) => [one.day, picoOf(one.usage)]));
  let sum = 0n;
  return starts.map((start) => {
    sum -= usage.get(start.slice(0, 10)) ?? 0n;
    return heightOf(formatUsd(sum));
  });
}

function filled(values: readonly number[], length: number): (number | null)[] {
  return Array.from({ length }, (_, at) => values[at] ?? null);
}
