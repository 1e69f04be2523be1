/** The calendar months (UTC) of which there are statements. */

/** Older months can be read with the API. */
const MONTHS_MAX = 36;

/**
 * Returns the months from that of `created` on, such as `2026-11`, newest first. `now` is in ms
 * since the epoch.
 */
export function monthsSince(created: string, now: number): string[] {
  const first = monthOf(Date.parse(created));
  return latestMonths(now, Math.min(Math.max(monthOf(now) - first, 0) + 1, MONTHS_MAX));
}

/** Returns the last so many months, newest first. */
export function latestMonths(now: number, count = MONTHS_MAX): string[] {
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(1970, monthOf(now) - back)).toISOString().slice(0, 7),
  );
}

/** Counts months since 1970. */
function monthOf(instant: number): number {
  const date = new Date(instant);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}
