/**
 * The distribution of the times to first token in a period, as its row has it: a histogram in
 * varints, of which only buckets with values are written.
 *
 *   (distance from the bucket before, count)*
 */
import { BUCKETS, quantilesOf } from '../../usage/rollups/histogram.ts';
import { VarintReader, writeVarint } from '../../usage/rollups/varint.ts';

/** How many first tokens came in each bucket of time. */
export type TimeCounts = Float64Array;

export const noTimes = (): TimeCounts => new Float64Array(BUCKETS);

/** Two varints of at most ten bytes for each bucket. */
const BYTES_MAX = 20 * BUCKETS;

export function writtenTimes(counts: TimeCounts): Uint8Array {
  const bytes = new Uint8Array(BYTES_MAX);
  let at = 0;
  let last = 0;
  for (const [bucket, count] of counts.entries()) {
    if (count === 0) continue;
    at = writeVarint(bytes, at, bucket - last);
    at = writeVarint(bytes, at, count);
    last = bucket;
  }
  return bytes.slice(0, at);
}

class TimesReader extends VarintReader {
  addTo(sums: TimeCounts): void {
    let bucket = 0;
    while (this.at < this.bytes.length) {
      bucket += this.varint();
      const count = this.varint();
      // A later version may have more buckets.
      if (bucket < sums.length) sums[bucket] = (sums[bucket] as number) + count;
    }
  }
}

/** Returns the percentiles of all rows together in ms; null if none of them has a first token. */
export function percentilesOfTimes(
  rows: readonly Uint8Array[],
): Readonly<{ p50: number; p95: number }> | null {
  const sums = noTimes();
  for (const bytes of rows) new TimesReader(bytes, 0).addTo(sums);
  const found = quantilesOf(sums, 0, [0.5, 0.95]);
  if (found === null) return null;
  const [p50, p95] = found as [number, number];
  return { p50, p95 };
}
