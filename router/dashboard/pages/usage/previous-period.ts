/** The previous period, with which the usage page compares the one that it shows. */
import { SUMMARY_BUCKETS_MAX } from '../../../../shared/bounds/usage-summary.ts';
import { type Bucket, countOf, shifted } from './buckets.ts';
import { isKept, type Span } from './span.ts';

/** Periods are whole buckets. With at least so many, their lengths differ by at most 5%. */
const BUCKETS_MIN = 20;

const COARSEST_FIRST = ['day', 'hour', 'minute'] as const satisfies readonly Bucket[];

export type Period = Readonly<{ start: string; end: string; bucket: Bucket }>;

/** A period with fewer than a hundredth of the requests says nothing about how they have changed. */
const COMPARED_SHARE_MIN = 0.01;

type Requests = Readonly<{ requests: number }>;

/** Whether the earlier period has enough requests to compare the other one with it. */
export function isComparable(earlier: Requests, { requests }: Requests): boolean {
  return earlier.requests > 0 && earlier.requests >= COMPARED_SHARE_MIN * requests;
}

/**
 * Returns the period that ends where the span starts and is as long as what has passed of the span
 * at `asOf`, in ms since the epoch. Null when its sums are no longer kept, and when it has too few or
 * too many buckets.
 */
export function previousPeriod(
  { start, end }: Pick<Span, 'start' | 'end'>,
  asOf: number,
): Period | null {
  const from = Date.parse(start);
  const until = Math.min(end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end), asOf + 1);
  for (const bucket of COARSEST_FIRST) {
    const count = countOf(bucket, from, until);
    if (count < BUCKETS_MIN) continue;
    const first = shifted(bucket, from, -count);
    if (count > SUMMARY_BUCKETS_MAX || !isKept(bucket, first, asOf)) return null;
    return { start: new Date(first).toISOString(), end: start, bucket };
  }
  return null;
}
