/** Delays between retries: exponential backoff. */
import type { Random } from './random.ts';

export type Backoff = Readonly<{
  /** The delay in ms after the first failure. It doubles with each further failure. */
  first: number;
  /** The longest delay in ms. */
  most: number;
}>;

/** Returns the delay in ms after `failures` failures in a row, the first of which counts as 1. */
export function backoffMs(failures: number, { first, most }: Backoff): number {
  return Math.min(most, first * 2 ** Math.min(failures - 1, 30));
}

/**
 * Returns a random delay in ms between half of `backoffMs` and all of it, so that peers do not
 * retry at the same time.
 */
export function jitteredBackoffMs(failures: number, backoff: Backoff, random: Random): number {
  const whole = backoffMs(failures, backoff);
  return whole / 2 + random.unit() * (whole / 2);
}
