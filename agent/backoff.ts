/** Retry delays: exponential backoff with jitter, so that agents do not retry in step. */
import type { Random } from '../shared/random.ts';

/**
 * Returns the delay in ms before the next try: a random value between half and all of `first`
 * doubled `attempt` times, where the doubled value is capped at `most`.
 */
export function backoffMs(
  attempt: number,
  { first, most }: Readonly<{ first: number; most: number }>,
  random: Random,
): number {
  const whole = Math.min(most, first * 2 ** Math.min(attempt, 30));
  return whole / 2 + random.unit() * (whole / 2);
}
