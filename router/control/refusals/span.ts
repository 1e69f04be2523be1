/** Computes the buckets of a count of refusals from its query, within the bounds of one answer. */
import type { RefusalCountsQuery } from '../../../shared/api/refusals.ts';
import { REFUSALS, type RefusalCode } from '../../../shared/refusals.ts';
import { MINUTES_KEPT_MS } from '../../usage/refusals/fold.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.ts';
import { ordinalOf, startOf } from '../../usage/time-buckets.ts';
import { isoInstant, Refused } from '../api.ts';

const BUCKETS_MAX = 1_500;
/** The default length when the query has no start. */
const USUAL_MS = { minute: HOUR_MS, hour: DAY_MS, day: 30 * DAY_MS } as const;
const MINUTES = { minute: 1, hour: 60, day: 24 * 60 } as const;

/** Bucket ordinals; `until` is exclusive. Buckets are whole. */
export type CountSpan = Readonly<{
  bucket: RefusalCountsQuery['bucket'];
  from: number;
  until: number;
  minutes: number;
}>;

export function countSpan(query: RefusalCountsQuery, now: number): CountSpan {
  const { bucket, end = now } = query;
  const start = query.start ?? end - USUAL_MS[bucket];
  if (start >= end) throw new Refused('invalid_value', 'start is not before end.', 'start');
  const from = ordinalOf(bucket, start);
  const until = ordinalOf(bucket, end - 1) + 1;
  if (until - from > BUCKETS_MAX) {
    const message = `The span has ${until - from} buckets, but a response has at most ${BUCKETS_MAX}. Request a shorter span or a longer bucket.`;
    throw new Refused('invalid_value', message, 'bucket');
  }
  const kept = startOf('hour', ordinalOf('hour', now - MINUTES_KEPT_MS));
  if (bucket === 'minute' && start < kept) {
    const message = `Counts by minute begin at ${isoInstant(kept)}. Request a later start or a longer bucket.`;
    throw new Refused('invalid_value', message, 'start');
  }
  return { bucket, from, until, minutes: MINUTES[bucket] };
}

/** The codes that a query wants. Undefined: all. */
export function codesOf({
  code,
  status,
}: Pick<RefusalCountsQuery, 'code' | 'status'>): readonly RefusalCode[] | undefined {
  if (status === undefined) return code;
  const codes = (Object.keys(REFUSALS) as RefusalCode[]).filter((one) =>
    status.some((of) => String(REFUSALS[one].status)[0] === of[0]),
  );
  return code === undefined ? codes : codes.filter((one) => code.includes(one));
}
