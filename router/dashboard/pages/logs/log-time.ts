/** The time that the Logs page shows: a range up to now, or from one instant to another. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/durations.ts';
import type { LogsSearch } from '../../search.ts';
import { countOf, floorTo, shifted } from '../usage/buckets.ts';
import { spanOf } from '../usage/span.ts';

export const USUAL_RANGE = '24h';
/** The earliest instant that can be chosen, before now. */
const REACH_MS = 400 * DAY_MS;
/** How long refusals are counted by minute, less an hour in which the page may stay open. */
const MINUTES_KEPT_MS = 47 * HOUR_MS;
/** The most bars that one chart of volume has room for. */
const BARS_MAX = 200;

export type VolumeBucket = 'minute' | 'hour' | 'day';

export type LogTime = Readonly<{
  /** ISO 8601. */
  start: string;
  /** Not included; undefined when the time goes on up to now. */
  end: string | undefined;
  /** The bars of the chart of volume. */
  bucket: VolumeBucket;
  /** Whether the time was chosen as two instants. */
  isCustom: boolean;
}>;

type Asked = Pick<LogsSearch, 'range' | 'from' | 'to'>;

/** `asOf` is in ms since the epoch. Instants out of bounds are moved within them. */
export function logTimeOf(search: Asked, asOf: number): LogTime {
  const chosen = chosenOf(search, asOf);
  const { range = USUAL_RANGE } = search;
  const from = chosen?.from ?? Date.parse(spanOf({ range }, asOf).start);
  const until = chosen?.until ?? asOf + 1;
  return {
    start: new Date(from).toISOString(),
    end: chosen?.until === undefined ? undefined : new Date(chosen.until).toISOString(),
    bucket: bucketOf(from, until, asOf),
    isCustom: chosen !== undefined,
  };
}

function chosenOf({ from, to }: Asked, asOf: number) {
  if (from === undefined) return undefined;
  const within = (text: string) => Math.min(Math.max(Date.parse(text), asOf - REACH_MS), asOf);
  const one = Math.min(within(from), asOf - MINUTE_MS);
  if (to === undefined) return { from: one, until: undefined };
  const other = within(to);
  return { from: Math.min(one, other), until: Math.max(one, other, Math.min(one, other) + 1) };
}

function bucketOf(from: number, until: number, asOf: number): VolumeBucket {
  const fits = (bucket: VolumeBucket) => countOf(bucket, from, until) <= BARS_MAX;
  const hasMinutes = floorTo('minute', from) >= asOf - MINUTES_KEPT_MS;
  if (hasMinutes && fits('minute')) return 'minute';
  return fits('hour') ? 'hour' : 'day';
}

/** The part of the address for the time from one instant to another, in ms since the epoch. */
export function chosenTime(from: number, until: number): Required<Pick<LogsSearch, 'from' | 'to'>> {
  return { from: addressed(from), to: addressed(until) };
}

/** `2026-11-21T08:30Z`, with seconds only if there are some. */
function addressed(at: number): string {
  return new Date(at).toISOString().replace(/(:00)?\.000Z$/, 'Z');
}

/** The start of each bar, and the end of the last one, in ms since the epoch. */
export function barsOf({ start, end, bucket }: LogTime, asOf: number): readonly number[] {
  const from = Date.parse(start);
  const until = end === undefined ? asOf + 1 : Date.parse(end);
  const first = floorTo(bucket, from);
  return Array.from({ length: countOf(bucket, from, until) + 1 }, (_, at) =>
    shifted(bucket, first, at),
  );
}
