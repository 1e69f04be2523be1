/**
 * Computes a summary's buckets and number of groups from the query, within the bounds of one
 * answer.
 */
import { GROUPS_MAX, type UsageSummaryQuery } from '../../../shared/api/usage.ts';
import { SUMMARY_BUCKETS_MAX, SUMMARY_FIGURES_MAX } from '../../../shared/bounds/usage-summary.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.ts';
import { type BucketName, keptFrom, ordinalOf, startOf } from '../../usage/time-buckets.ts';
import { isoInstant, Refused } from '../api.ts';

/** A page shows few groups, while a file that is added up by customers should have all of them. */
const GROUPS_USUAL = { json: 10, csv: GROUPS_MAX } as const;

/** The default length when the query has no start. */
const USUAL_MS: Readonly<Record<BucketName, number>> = {
  minute: HOUR_MS,
  hour: DAY_MS,
  day: 30 * DAY_MS,
  month: 365 * DAY_MS,
};

/** Bucket ordinals; `until` is exclusive. Buckets are whole, so those at the ends are not cut. */
export type SummarySpan = Readonly<{ from: number; until: number; groups: number }>;

export function spanOf(query: UsageSummaryQuery, now: number): SummarySpan {
  const { bucket, end = now, group_by, groups, format } = query;
  const start = query.start ?? end - USUAL_MS[bucket];
  if (start >= end) throw new Refused('invalid_value', 'start is not before end.', 'start');
  const from = ordinalOf(bucket, start);
  const until = ordinalOf(bucket, end - 1) + 1;
  const buckets = until - from;
  if (buckets > SUMMARY_BUCKETS_MAX) {
    const message = `The span has ${buckets} buckets, but a response has at most ${SUMMARY_BUCKETS_MAX}. Request a shorter span or a longer bucket.`;
    throw new Refused('invalid_value', message, 'bucket');
  }
  const kept = keptFrom(bucket, now);
  if (kept !== null && startOf(bucket, from) < kept) {
    const message = `Usage by ${bucket} begins at ${isoInstant(kept)}. Request a later start or a longer bucket.`;
    throw new Refused('invalid_value', message, 'start');
  }
  if (group_by === undefined) return { from, until, groups: 1 };
  const fitting = Math.floor(SUMMARY_FIGURES_MAX / buckets) - 1;
  if (groups !== undefined && groups > fitting) {
    const message = `With ${buckets} buckets, a response has at most ${fitting} groups, not ${groups}. Request fewer groups, a shorter span or a longer bucket.`;
    throw new Refused('invalid_value', message, 'groups');
  }
  return { from, until, groups: groups ?? Math.min(GROUPS_USUAL[format], fitting) };
}
