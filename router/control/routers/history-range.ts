/** Which time the history of a router is of, and how long its buckets are. */
import type { RouterHistory, RouterHistoryQuery } from '../../../shared/api/routers.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.ts';
import { askedRange } from '../asked-range.ts';
import { PERIODS_KEPT_MS } from './periods.ts';

type Span = NonNullable<RouterHistory['span']>;

/** In ms since the epoch, at the edges of buckets. `span`: null for a range with a start of its own. */
export type HistoryRange = Readonly<{
  span: Span | null;
  from: number;
  until: number;
  bucketMs: number;
}>;

/** A bucket is some periods of five minutes. */
const SPANS: Readonly<Record<Span, Readonly<{ lengthMs: number; bucketMs: number }>>> = {
  hour: { lengthMs: HOUR_MS, bucketMs: 5 * MINUTE_MS },
  day: { lengthMs: DAY_MS, bucketMs: 30 * MINUTE_MS },
  week: { lengthMs: 7 * DAY_MS, bucketMs: 3 * HOUR_MS },
};

export function spanUntil(span: Span, now: number): HistoryRange {
  const { lengthMs, bucketMs } = SPANS[span];
  const until = Math.ceil((now + 1) / bucketMs) * bucketMs;
  return { span, from: until - lengthMs, until, bucketMs };
}

export function rangeOf({ span, start, end }: RouterHistoryQuery, now: number): HistoryRange {
  const kept = { now, keptMs: PERIODS_KEPT_MS, begins: 'a week ago' };
  const range = askedRange({ start, end }, kept);
  if (range === null) return spanUntil(span, now);
  const bucketMs = bucketOf(range.end - range.start);
  const from = Math.floor(range.start / bucketMs) * bucketMs;
  return { span: null, from, until: Math.ceil(range.end / bucketMs) * bucketMs, bucketMs };
}

/** Whole buckets of a range are at most 97. */
function bucketOf(lengthMs: number): number {
  if (lengthMs <= 8 * HOUR_MS) return SPANS.hour.bucketMs;
  return lengthMs <= 2 * DAY_MS ? SPANS.day.bucketMs : SPANS.week.bucketMs;
}
