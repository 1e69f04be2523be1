/** The buckets that usage is summed up by. They are whole in UTC, whatever the reader's zone is. */
import type { BUCKETS } from '../../search.ts';

export type Bucket = (typeof BUCKETS)[number];

export const DAY_MS = 86_400_000;
const LENGTH_MS = { minute: 60_000, hour: 3_600_000, day: DAY_MS } as const;

/** The start of the bucket that an instant is in; ms since the epoch, as all instants here. */
export function floorTo(bucket: Bucket, at: number): number {
  if (bucket !== 'month') return at - (at % LENGTH_MS[bucket]);
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** The start of the bucket `count` after the one that begins at `start`; before it if below zero. */
export function shifted(bucket: Bucket, start: number, count: number): number {
  if (bucket !== 'month') return start + count * LENGTH_MS[bucket];
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count);
}

/** `until` is not included. */
export function countOf(bucket: Bucket, from: number, until: number): number {
  const first = floorTo(bucket, from);
  const last = floorTo(bucket, until - 1);
  if (bucket !== 'month') return (last - first) / LENGTH_MS[bucket] + 1;
  const [a, b] = [new Date(first), new Date(last)];
  return (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth() + 1;
}

/** The start of each bucket from the one of `from` on, those without any usage among them. */
export function startsOf(bucket: Bucket, from: number, until: number): number[] {
  const first = floorTo(bucket, from);
  const count = countOf(bucket, from, until);
  return Array.from({ length: count }, (_, at) => shifted(bucket, first, at));
}
