/** The objective of availability (docs/monitoring.md), and how an availability is written. */

/** Of the requests that are not the client's fault (4xx): the share that does not end with a 5xx. */
export const AVAILABILITY_MIN = 0.999;

/**
 * The share of failures at which an hour spends two per cent of what a month may have, as in the
 * alert PenstockAvailabilityBurnsFast.
 */
export const FAST_BURN = 14.4 * (1 - AVAILABILITY_MIN);

/** With fewer failures than this, an availability is not judged: one of few requests says nothing. */
export const JUDGED_FAILURES_MIN = 10;

/** `0.99967` → `"99.967%"`: rounded down, because it must not look better than it is. */
export function writtenAvailability(share: number): string {
  if (share === 1) return '100%';
  return `${(Math.floor(100_000 * share + 1e-6) / 1_000).toFixed(3)}%`;
}
