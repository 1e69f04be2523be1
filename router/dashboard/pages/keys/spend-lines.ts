/** What each key has spent by day, from one summary for all keys. */
import type { UsageSummary } from '../../../../shared/api/usage.ts';
import { heightOf } from '../../format/usd.ts';
import { drawnOf } from '../usage/series.ts';

/** `values`: USD by day, the oldest first. `total` is their sum. */
export type SpendLine = Readonly<{ values: readonly number[]; total: string }>;

const NOTHING: SpendLine = { values: [], total: '0' };

/**
 * Returns a function that finds the line of a key in a summary by day and key. Null for a key that
 * the summary may count among the others, so that its line is not known.
 */
export function spendLinesOf(summary: UsageSummary): (key: string) => SpendLine | null {
  const { series } = drawnOf(summary, ({ cost }) => heightOf(cost), 0);
  const values = new Map(series.map((one) => [one.group, one.values]));
  const totals = new Map(summary.groups.map(({ group, cost }) => [group, cost]));
  const hasOthers = summary.groups.some(({ other, requests }) => other && requests > 0);
  return (key) => {
    const [own, total] = [values.get(key), totals.get(key)];
    if (own === undefined || total === undefined) return hasOthers ? null : NOTHING;
    return { values: own, total };
  };
}
