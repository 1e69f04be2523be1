/**
 * The buckets that usage is summed by. Their bounds are in UTC, whatever the reader's time zone.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/durations.ts';
import type { BUCKETS } from '../../search.ts';

export type Bucket = (typeof BUCKETS)[number];

const LENGTH_MS = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS } as const;

/**
 * Returns the start of the bucket that contains `at`, in ms since the epoch, like all instants in
 * this file.
 */
export function floorTo(bucket: Bucket, at: number): number {
  if (bucket !== 'month') return at - (at % LENGTH_MS[bucket]);
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/**
 * Returns the start of the bucket that is `count` buckets after the bucket at `start`, or before it
 * when `count` is negative.
 */
export function shifted(bucket: Bucket, start: number, count: number): number {
  if (bucket !== 'month') return start + count * LENGTH_MS[bucket];
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count);
}

/** Returns how many buckets there are from `from` to `until`, which is not included. */
export function countOf(bucket: Bucket, from: number, until: number): number {
  const first = floorTo(bucket, from);
  const last = floorTo(bucket, until - 1);
  if (bucket !== 'month') return (last - first) / LENGTH_MS[bucket] + 1;
  const [a, b] = [new Date(first), new Date(last)];
  return (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth() + 1;
}

/** Returns the start of each bucket from `from` to `until`, including buckets without usage. */
export function startsOf(bucket: Bucket, from: number, until: number): number[] {
  const first = floorTo(bucket, from);
  const count = countOf(bucket, from, until);
  return Array.from({ length: count }, (_, at) => shifted(bucket, first, at));
}
