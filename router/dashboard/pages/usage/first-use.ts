import type { Series } from '../../parts/chart/series.ts';

/** A chart of fewer days would have a bar or two. */
const DAYS_MIN = 7;

type Days = Readonly<{ days: readonly string[]; series: readonly Series[] }>;

/** Leaves out the days before the first use, but has at least a week. */
export function sinceFirstUse(days: readonly string[], series: readonly Series[]): Days {
  const first = days.findIndex((_, at) => series.some(({ values }) => (values[at] ?? 0) > 0));
  const from = Math.max(0, Math.min(first, days.length - DAYS_MIN));
  return {
    days: days.slice(from),
    series: series.map((one) => ({ ...one, values: one.values.slice(from) })),
  };
}
