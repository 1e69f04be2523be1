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
  const lines = new Map<string, SpendLine>();
  const { series } = drawnOf(summary, ({ cost }) => heightOf(cost), 0);
  const groups = summary.groups.filter(({ requests, other }) => requests > 0 && !other);
  for (const [at, { group, cost }] of groups.entries()) {
    if (group !== null) lines.set(group, { values: series[at]?.values ?? [], total: cost });
  }
  const hasOthers = summary.groups.some(({ other, requests }) => other && requests > 0);
  return (key) => lines.get(key) ?? (hasOthers ? null : NOTHING);
}
