/** The calendar months (UTC) of which there are statements. */

/** Older months can be read with the API. */
const MONTHS_MAX = 36;

/**
 * Returns the months from that of `created` on, such as `2026-11`, newest first. `now` is in ms
 * since the epoch.
 */
export function monthsSince(created: string, now: number): string[] {
  const first = monthOf(Date.parse(created));
  const last = monthOf(now);
  const count = Math.min(Math.max(last - first, 0) + 1, MONTHS_MAX);
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(1970, last - back)).toISOString().slice(0, 7),
  );
}

/** Counts months since 1970. */
function monthOf(instant: number): number {
  const date = new Date(instant);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}
