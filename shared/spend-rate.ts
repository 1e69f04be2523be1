/** The rate of an organization's spend, which forecasts continue. */

/** How many complete days the rate is the average of. */
export const RATE_DAYS = 7;

/** `spent` pico-USD in `days` days. */
export type SpendRate = Readonly<{ spent: bigint; days: number }>;

/**
 * Returns the rate of the last complete days. `costs`: in pico-USD by day, the last complete day at
 * the end. Days before the first spend do not count, so that the rate of a new customer is not too
 * low, and a day on which more was given back than spent counts as a day without spend. Null when
 * nothing was spent on these days.
 */
export function spendRate(costs: readonly bigint[]): SpendRate | null {
  const recent = costs.slice(-RATE_DAYS);
  const first = recent.findIndex((cost) => cost > 0n);
  if (first === -1) return null;
  const counted = recent.slice(first);
  return {
    spent: counted.reduce((all, cost) => (cost > 0n ? all + cost : all), 0n),
    days: counted.length,
  };
}
