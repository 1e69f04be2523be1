/** Labels of a time axis at round times, so that all charts of the same span have the same ones. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.ts';
import type { Zone } from '../format/time.ts';

/** Of these lengths in ms, and then of months. Days are counted from a Monday. */
const STEPS = [
  ...[1, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14].map((days) => days * DAY_MS),
];
const MONTH_STEPS = [1, 3, 6, 12];
const FIRST_MONDAY = Date.UTC(1970, 0, 5);
/** So many fit in the narrowest chart. */
const TICKS_MAX = 4;

/**
 * `starts`: instants of buckets, of which the first one after each round time of `zone` is
 * labelled. Returns undefined for short spans, whose labels are placed by their width.
 */
export function timeTicks(starts: readonly string[], zone: Zone): string[] | undefined {
  if (starts.length <= TICKS_MAX) return undefined;
  const times = starts.map((start) => wallTime(start, zone));
  const [first = 0, second = 0] = times;
  // No day is rounder than another, so buckets of a day or more are labelled only by months.
  const steps = second - first < DAY_MS ? STEPS : [];
  for (const periodOf of [...steps.map(periods), ...MONTH_STEPS.map(monthPeriods)]) {
    const ticks = starts.filter((_, at) => begins(times, at, periodOf));
    if (ticks.length <= TICKS_MAX) return ticks.length < 2 ? undefined : ticks;
  }
  return undefined;
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
