/**
 * The time that the usage page shows: start and end, the bucket, and the buckets to choose from.
 */
import { SUMMARY_FIGURES_MAX } from '../../../../shared/bounds/usage-summary.ts';
import { DAY_MS } from '../../../../shared/durations.ts';
import { BUCKETS, type RANGES, type UsageSearch } from '../../search.ts';
import { type Bucket, countOf, floorTo, shifted } from './buckets.ts';

export type Range = (typeof RANGES)[number];

export type Span = Readonly<{
  /** ISO 8601, at the start of a bucket, so that the sums and the list cover the same requests. */
  start: string;
  /** Not included; undefined when the span goes on up to now. */
  end: string | undefined;
  bucket: Bucket;
  /** The buckets that can be chosen for this span. */
  buckets: readonly Bucket[];
}>;

export const USUAL_RANGE: Range = '30d';

/** The number of groups that are listed separately: as many as the chart has colours. */
export const GROUPS = 7;
/** One more group is that of all others. */
const BUCKETS_FIT = Math.floor(SUMMARY_FIGURES_MAX / (GROUPS + 1));

/** How long the service keeps sums of buckets shorter than a day. */
const KEPT_MS: Partial<Record<Bucket, number>> = { minute: 14 * DAY_MS, hour: 400 * DAY_MS };

/** The usual bucket for spans up to a length in ms. For longer spans it is the month. */
const USUAL: readonly (readonly [Bucket, number])[] = [
  ['minute', DAY_MS / 12],
  ['hour', 2 * DAY_MS],
  ['day', 100 * DAY_MS],
];

/** No day before this one can be chosen: there was no usage before. */
const EARLIEST = Date.UTC(2020, 0);

/** Lengths in buckets, including the current one: "12mo" is this month and the 11 months before it. */
const LENGTHS: Readonly<Record<Range, readonly [Bucket, number]>> = {
  '1h': ['minute', 60],
  '24h': ['hour', 24],
  '7d': ['day', 7],
  '30d': ['day', 30],
  '90d': ['day', 90],
  '12mo': ['month', 12],
};

type SpanSearch = Pick<UsageSearch, 'range' | 'from' | 'to' | 'bucket'>;

/**
 * Returns the span to show; `asOf` is in ms since the epoch. Days out of bounds are moved within
 * them, and a bucket that does not fit is replaced by the usual one.
 */
export function spanOf(search: SpanSearch, asOf: number): Span {
  const days = daysOf(search, asOf);
  const from = days?.from ?? rangeStart(search.range ?? USUAL_RANGE, asOf);
  const until = days?.until ?? asOf + 1;
  const fitting = BUCKETS.filter((bucket) => fits(bucket, from, until, asOf));
  const usual = usualBucket(fitting, until - from);
  const buckets = fitting.filter((one) => one === usual || countOf(one, from, until) > 1);
  const bucket = buckets.find((one) => one === search.bucket) ?? usual;
  return {
    start: new Date(from).toISOString(),
    end: days && new Date(endIn(bucket, until)).toISOString(),
    bucket,
    buckets,
  };
}

/**
 * Returns the chosen days, with `until` at the end of the last day; undefined when a range is
 * chosen. More days than one answer has are extended to whole months.
 */
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
  // A first day alone means the days from it to today. The two days may be in either order.
  const last = other ?? (from === undefined ? one : today);
  const [first, until] = [Math.min(one, last), Math.max(one, last) + DAY_MS];
  return countOf('day', first, until) <= BUCKETS_FIT
    ? { from: first, until }
    : { from: floorTo('month', first), until: Math.min(endIn('month', until), today + DAY_MS) };
}

/** The end of the bucket that has the last instant before `until`. */
function endIn(bucket: Bucket, until: number): number {
  return shifted(bucket, floorTo(bucket, until - 1), 1);
}

function rangeStart(range: Range, asOf: number): number {
  const [unit, count] = LENGTHS[range];
  return shifted(unit, floorTo(unit, asOf), 1 - count);
}

/** The bucket changes no total: a span has whole buckets, of which the last may not be over yet. */
function fits(bucket: Bucket, from: number, until: number, asOf: number): boolean {
  const isWhole =
    floorTo(bucket, from) === from && (until > asOf || floorTo(bucket, until) === until);
  return isWhole && isKept(bucket, from, asOf) && countOf(bucket, from, until) <= BUCKETS_FIT;
}

/** Whether the service still has the sums of the bucket that contains `from`. */
export function isKept(bucket: Bucket, from: number, asOf: number): boolean {
  const kept = KEPT_MS[bucket];
  return kept === undefined || floorTo(bucket, from) >= asOf - kept;
}

/**
 * Returns the usual bucket for a length if it fits, and otherwise the next longer one that fits, or
 * the longest.
 */
function usualBucket(fitting: readonly Bucket[], lengthMs: number): Bucket {
  const [wanted = 'month'] = USUAL.find(([, most]) => lengthMs <= most) ?? [];
  return (
    fitting.find((one) => BUCKETS.indexOf(one) >= BUCKETS.indexOf(wanted)) ??
    fitting.at(-1) ??
    'month'
  );
}
