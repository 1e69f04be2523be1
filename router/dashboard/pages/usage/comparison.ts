/** The period before the one that the usage page shows, to compare the two. */
import { type Bucket, countOf, shifted } from './buckets.ts';
import { isKept, type Span } from './span.ts';

/** The period before is as long as the one shown, up to one bucket, so up to 1 part in so many. */
const BUCKETS_LEAST = 20;
/** An answer has at most so many buckets. */
const BUCKETS_MOST = 1_500;

const COARSEST_FIRST = ['day', 'hour', 'minute'] as const satisfies readonly Bucket[];

export type Period = Readonly<{ start: string; end: string; bucket: Bucket }>;

/**
 * Returns the period that ends where the span starts and is as long as what has passed of the span
 * at `asOf`, in ms since the epoch. Null when the service no longer has sums that are fine enough.
 */
export function periodBefore(
  { start, end }: Pick<Span, 'start' | 'end'>,
  asOf: number,
): Period | null {
  const from = Date.parse(start);
  const until = Math.min(end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end), asOf + 1);
  for (const bucket of COARSEST_FIRST) {
    const count = countOf(bucket, from, until);
    if (count < BUCKETS_LEAST) continue;
    const first = shifted(bucket, from, -count);
    if (count > BUCKETS_MOST || !isKept(bucket, first, asOf)) return null;
    return { start: new Date(first).toISOString(), end: start, bucket };
  }
  return null;
}
