/** What time a usage page is about: from when to when, in which buckets, and which others would fit. */
import { BUCKETS, type RANGES, type UsageSearch } from '../../search.ts';
import { type Bucket, countOf, DAY_MS, floorTo, shifted } from './buckets.ts';

export type Range = (typeof RANGES)[number];

export type Span = Readonly<{
  /** ISO 8601, at the start of a bucket, so that the sums and the list are of the same requests. */
  start: string;
  /** Not included. Undefined: it goes on. */
  end: string | undefined;
  bucket: Bucket;
  /** Those that can be chosen. */
  buckets: readonly Bucket[];
}>;

export const USUAL_RANGE: Range = '30d';

/** Groups that are told apart: as many as the chart has colours. */
export const GROUPS = 7;
/** An answer has at most 3,000 figures, and each bucket one of each group and one of the others. */
const BUCKETS_FIT = Math.floor(3_000 / (GROUPS + 1));

/** For how long the service keeps what is finer than a day. */
const KEPT_MS: Partial<Record<Bucket, number>> = { minute: 14 * DAY_MS, hour: 400 * DAY_MS };

/** The bucket that is usual for spans up to so long; beyond all of them it is the month. */
const USUAL: readonly (readonly [Bucket, number])[] = [
  ['minute', DAY_MS / 12],
  ['hour', 2 * DAY_MS],
  ['day', 100 * DAY_MS],
];

/** There was no usage before. */
const EARLIEST = Date.UTC(2020, 0);

/** The bucket that is running counts as one: "24h" is this hour and the 23 before. */
const LENGTHS: Readonly<Record<Range, readonly [Bucket, number]>> = {
  '1h': ['minute', 60],
  '24h': ['hour', 24],
  '7d': ['day', 7],
  '30d': ['day', 30],
  '90d': ['day', 90],
  '365d': ['day', 365],
};

type SpanSearch = Pick<UsageSearch, 'range' | 'from' | 'to' | 'bucket'>;

/** `asOf` in ms since the epoch. What cannot be shown is brought within what can. */
export function spanOf(search: SpanSearch, asOf: number): Span {
  const days = daysOf(search, asOf);
  const from = days?.from ?? rangeStart(search.range ?? USUAL_RANGE, asOf);
  const until = days?.until ?? asOf + 1;
  const fitting = BUCKETS.filter((bucket) => fits(bucket, from, until, asOf));
  const usual = usualBucket(fitting, until - from);
  const buckets = fitting.filter((one) => one === usual || countOf(one, from, until) > 1);
  const bucket = buckets.find((one) => one === search.bucket) ?? usual;
  return {
    start: new Date(floorTo(bucket, from)).toISOString(),
    end: days && new Date(shifted(bucket, floorTo(bucket, until - 1), 1)).toISOString(),
    bucket,
    buckets,
  };
}

/** The days that are chosen, `until` the end of the last. Undefined: a range is meant. */
export function daysOf(
  { from, to }: SpanSearch,
  asOf: number,
): Readonly<{ from: number; until: number }> | undefined {
  const today = floorTo('day', asOf);
  const given = [from, to].flatMap((day) => {
    const at = Date.parse(day ?? '');
    return Number.isNaN(at) ? [] : [Math.min(Math.max(at, EARLIEST), today)];
  });
  const [one, other] = given;
  if (one === undefined) return undefined;
  // A first day alone goes on until today; people give them in either order.
  const last = other ?? (from === undefined ? one : today);
  return { from: Math.min(one, last), until: Math.max(one, last) + DAY_MS };
}

function rangeStart(range: Range, asOf: number): number {
  const [unit, count] = LENGTHS[range];
  return shifted(unit, floorTo(unit, asOf), 1 - count);
}

function fits(bucket: Bucket, from: number, until: number, asOf: number): boolean {
  const kept = KEPT_MS[bucket];
  const isKept = kept === undefined || floorTo(bucket, from) >= asOf - kept;
  return isKept && countOf(bucket, from, until) <= BUCKETS_FIT;
}

/** Of those that fit the usual one, or the next longer. */
function usualBucket(fitting: readonly Bucket[], lengthMs: number): Bucket {
  const [wanted = 'month'] = USUAL.find(([, most]) => lengthMs <= most) ?? [];
  return fitting.find((one) => BUCKETS.indexOf(one) >= BUCKETS.indexOf(wanted)) ?? 'month';
}
