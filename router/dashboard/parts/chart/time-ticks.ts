/** Labels of a time axis at round times, so that all charts of the same span have the same ones. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/durations.ts';
import { monthDay, type Zone } from '../../format/time.ts';

/** Of these lengths in ms, and then of months. Days are counted from a Monday. */
const STEPS = [
  ...[1, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14].map((days) => days * DAY_MS),
];
const MONTH_STEPS = [1, 3, 6, 12];
const FIRST_MONDAY = Date.UTC(1970, 0, 5);
/** So many fit in the narrowest chart: labels of whole days are shorter. */
const TICKS_MAX = 4;
const DAYS_MAX = 5;

type TimeAxis = Readonly<{
  /** The buckets that are labelled. Undefined where labels are placed by their width. */
  ticks: string[] | undefined;
  label: (start: string) => string;
}>;

/** Where a time axis has labels, and what they say. `tick` labels a bucket that begins no day. */
export function timeAxis(
  starts: readonly string[],
  zone: Zone,
  tick: (start: string) => string,
): TimeAxis {
  const days = dayTicks(starts, zone);
  return {
    ticks: timeTicks(starts, zone),
    label: (start) => (days.has(start) ? monthDay(start, zone) : tick(start)),
  };
}

/**
 * `starts`: instants of buckets, of which the first one after each round time of `zone` is
 * labelled. Returns undefined for short spans, whose labels are placed by their width.
 */
export function timeTicks(starts: readonly string[], zone: Zone): string[] | undefined {
  if (starts.length <= TICKS_MAX) return undefined;
  const times = starts.map((start) => wallTime(start, zone));
  // No day is rounder than another, so buckets of a day or more are labelled only by months.
  const steps = isWithinDays(starts) ? STEPS : [];
  const choices = [
    ...steps.map((ms) => ({ periodOf: periods(ms), most: ms < DAY_MS ? TICKS_MAX : DAYS_MAX })),
    ...MONTH_STEPS.map((months) => ({ periodOf: monthPeriods(months), most: TICKS_MAX })),
  ];
  for (const { periodOf, most } of choices) {
    const ticks = starts.filter((_, at) => begins(times, at, periodOf));
    if (ticks.length <= most) return ticks.length < 2 ? undefined : ticks;
  }
  return undefined;
}

/**
 * The buckets that are labelled by their day, because they are the first of it. Buckets of a day or
 * more have labels of their own.
 */
export function dayTicks(starts: readonly string[], zone: Zone): ReadonlySet<string> {
  if (!isWithinDays(starts)) return new Set();
  const times = starts.map((start) => wallTime(start, zone));
  const dayOf = periods(DAY_MS);
  return new Set(starts.filter((_, at) => begins(times, at, dayOf)));
}

/** Whether a day has several buckets. */
function isWithinDays([first = '', second = '']: readonly string[]): boolean {
  return Date.parse(second) - Date.parse(first) < DAY_MS;
}

/** What a clock of the zone shows at an instant, as the instant at which one of UTC shows it. */
function wallTime(instant: string, zone: Zone): number {
  const at = Date.parse(instant);
  return zone === 'UTC' ? at : at - new Date(at).getTimezoneOffset() * MINUTE_MS;
}

type PeriodOf = (time: number) => number;

function periods(step: number): PeriodOf {
  return (time) => Math.floor((time - FIRST_MONDAY) / step);
}

function monthPeriods(step: number): PeriodOf {
  return (time) => {
    const date = new Date(time);
    return Math.floor((12 * date.getUTCFullYear() + date.getUTCMonth()) / step);
  };
}

/**
 * Whether the bucket is the first one of a period. Clocks may skip the round time itself, or show
 * it twice.
 */
function begins(times: readonly number[], at: number, periodOf: PeriodOf): boolean {
  const time = times[at] ?? 0;
  return periodOf(time) > periodOf(times[at - 1] ?? time - 1);
}
