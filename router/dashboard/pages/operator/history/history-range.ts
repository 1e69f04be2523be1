/** The time that a history is asked for: a span up to now, or from one instant to another. */
import { DAY_MS, MINUTE_MS } from '../../../../../shared/durations.ts';
import { countOf } from '../../../format/count.ts';

/** As an address has it. */
export type AskedRange = Readonly<{ from?: string | undefined; to?: string | undefined }>;

/** ISO 8601; the end is not included. */
export type HistoryRange = Readonly<{ start: string; end: string }>;

/**
 * Returns the range of an address, within the last `reachMs`; undefined if the address has none.
 * `asOf` is in ms since the epoch. The two instants may be in either order.
 */
export function rangeOf(
  { from, to }: AskedRange,
  asOf: number,
  reachMs: number,
): HistoryRange | undefined {
  if (from === undefined) return undefined;
  const within = (at: number) => Math.min(Math.max(at, asOf - reachMs), asOf - MINUTE_MS);
  const one = within(Date.parse(from));
  const other = to === undefined ? asOf : Math.min(Math.max(Date.parse(to), asOf - reachMs), asOf);
  const [first, last] = [Math.min(one, other), Math.max(one, other)];
  return {
    start: new Date(first).toISOString(),
    end: new Date(Math.max(last, first + MINUTE_MS)).toISOString(),
  };
}

/** How the buckets of a history of this length are labelled. */
export function labelledBy({ start, end }: HistoryRange): 'minute' | 'hour' {
  return Date.parse(end) - Date.parse(start) <= 1.5 * DAY_MS ? 'minute' : 'hour';
}

/** "10 minutes", "1 hour": how long a bucket is. */
export function bucketInWords(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes % 60 === 0 ? countOf(minutes / 60, 'hour') : countOf(minutes, 'minute');
}

/** The start of each bucket as ISO 8601; `bucketSeconds` is how long one is. */
export function startsOf({ start, end }: HistoryRange, bucketSeconds: number): string[] {
  const [from, until] = [Date.parse(start), Date.parse(end)];
  const count = Math.ceil((until - from) / (1_000 * bucketSeconds));
  return Array.from({ length: count }, (_, nth) =>
    new Date(from + nth * 1_000 * bucketSeconds).toISOString(),
  );
}
