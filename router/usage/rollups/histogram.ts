/**
 * Histograms of milliseconds whose buckets grow by a constant factor. Adding two histograms gives
 * that of all their values, and a percentile is within five per cent of the true value before it is
 * rounded to whole ms. Times below one ms count as one.
 *
 *   bucket 0: nothing at all; bucket n: more than GROWTH^(n-2), at most GROWTH^(n-1)
 */
import { HISTOGRAM_GROWTH as GROWTH, STEPS_PER_DOUBLING } from '../../../shared/histogram-steps.ts';

/** Up to 2^24 ms, more than four hours. Longer times count as that. */
export const BUCKETS = STEPS_PER_DOUBLING * 24 + 2;

export function bucketOf(ms: number): number {
  if (ms <= 0) return 0;
  if (ms <= 1) return 1;
  return Math.min(BUCKETS - 1, 1 + Math.ceil(STEPS_PER_DOUBLING * Math.log2(ms)));
}

/**
 * The value of each bucket in whole ms: the harmonic mean, so both ends have the same relative
 * error.
 */
const VALUES = Array.from({ length: BUCKETS }, (_, bucket) =>
  bucket === 0 ? 0 : Math.round((2 * GROWTH ** (bucket - 1)) / (1 + GROWTH)),
);

export type Percentiles = Readonly<{ p50: number; p90: number; p99: number }>;

/** The percentiles of the histogram that begins at `counts[from]`; null if it is empty. */
export function percentilesOf(counts: Float64Array, from: number): Percentiles | null {
  const values = quantilesOf(counts, from, [0.5, 0.9, 0.99]);
  if (values === null) return null;
  const [p50, p90, p99] = values as [number, number, number];
  return { p50, p90, p99 };
}

/** The sum of all values, within five per cent. */
export function totalMsOf(counts: Float64Array, from: number): number {
  let total = 0;
  for (let at = 0; at < BUCKETS; at++) {
    total += (counts[from + at] as number) * (VALUES[at] as number);
  }
  return total;
}

/** The values at or below which these shares of all values are; shares must ascend. */
export function quantilesOf(
  counts: Float64Array,
  from: number,
  shares: readonly number[],
): readonly number[] | null {
  let total = 0;
  for (let at = from; at < from + BUCKETS; at++) total += counts[at] as number;
  if (total === 0) return null;
  let at = from;
  while (counts[at] === 0) at++;
  let seen = counts[at] as number;
  // Each quantile continues where the one before it stopped.
  return shares.map((share) => {
    const rank = Math.ceil(share * total);
    while (seen < rank) seen += counts[++at] as number;
    return VALUES[at - from] as number;
  });
}
