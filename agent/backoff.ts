/** How long to wait before trying again: longer each time, and never for all agents at once. */
import type { Random } from '../shared/random.ts';

/** Between half and the whole of `first` doubled `attempt` times, at most `most`. */
export function backoffMs(
  attempt: number,
  { first, most }: Readonly<{ first: number; most: number }>,
  random: Random,
): number {
  const whole = Math.min(most, first * 2 ** Math.min(attempt, 30));
  return whole / 2 + random.unit() * (whole / 2);
}
