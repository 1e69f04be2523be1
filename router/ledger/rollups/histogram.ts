/**
 * Histograms of milliseconds whose buckets grow by a constant factor: the sum of two is that of all their values,
 * and a percentile out of it is within five per cent (or one millisecond) of the value itself.
 *
 *   bucket 0: nothing at all; bucket n: more than GROWTH^(n-2), at most GROWTH^(n-1)
 */
const STEPS_PER_DOUBLING = 7;
/** 1.104: half of a bucket's width is 4.9 per cent of what stands in its middle. */
const GROWTH = 2 ** (1 / STEPS_PER_DOUBLING);
/** Up to 2^24 ms: more than four hours. What takes longer counts as that. */
export const BUCKETS = STEPS_PER_DOUBLING * 24 + 2;

export function bucketOf(ms: number): number {
  if (ms <= 0) return 0;
  if (ms <= 1) return 1;
  return Math.min(BUCKETS - 1, 1 + Math.ceil(STEPS_PER_DOUBLING * Math.log2(ms)));
}

/** By bucket: the value that is as far from one of its ends as from the other, in whole milliseconds. */
const VALUES = Array.from({ length: BUCKETS }, (_, bucket) =>
  bucket === 0 ? 0 : Math.round((2 * GROWTH ** (bucket - 1)) / (1 + GROWTH)),
);

export type Percentiles = Readonly<{ p50: number; p90: number; p99: number }>;

/** Of the counts at `from` and after; null where there is none. */
export function percentilesOf(counts: Float64Array, from: number): Percentiles | null {
  let total = 0;
  for (let at = from; at < from + BUCKETS; at++) total += counts[at] as number;
  if (total === 0) return null;
  let at = from;
  while (counts[at] === 0) at++;
  let seen = counts[at] as number;
  // From one percentile to the next it goes on where it was.
  const next = (share: number) => {
    const rank = Math.ceil(share * total);
    while (seen < rank) seen += counts[++at] as number;
    return VALUES[at - from] as number;
  };
  return { p50: next(0.5), p90: next(0.9), p99: next(0.99) };
}
