/** Labels of a time axis at round times, so that all charts of the same span have the same ones. */
import { DAY_MS } from '../clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const STEPS = [
  ...[1, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 5, 10].map((days) => days * DAY_MS),
];
/** So many fit in the narrowest chart. */
const TICKS_MAX = 4;

/**
 * `starts`: instants of buckets, in UTC. Returns those of them that are labelled: undefined for days
 * and for short spans, whose labels are placed by their width.
 */
export function timeTicks(starts: readonly string[]): string[] | undefined {
  if (starts.length <= TICKS_MAX || !starts.every((start) => start.includes('T'))) return undefined;
  for (const step of STEPS) {
    const round = starts.filter((start) => Date.parse(start) % step === 0);
    if (round.length <= TICKS_MAX) return round.length < 2 ? undefined : round;
  }
  return undefined;
}
