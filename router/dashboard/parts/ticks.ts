/** The grid lines of a chart, at round values. */

/** Multiples of a power of ten that people read easily. */
const ROUND = [1, 2, 5, 10] as const;
const INTERVALS_MAX = 5;

/**
 * Returns the heights of the grid lines from 0 to the first line at or above `most`: multiples of
 * 1, 2 or 5 times a power of ten. With `whole`, none of them is a fraction.
 */
export function ticksUpTo(most: number, whole: boolean): number[] {
  if (!(most > 0)) return [0, 1];
  const smallest = most / INTERVALS_MAX;
  const exponent = Math.floor(Math.log10(smallest));
  const round = ROUND.find((one) => scaled(one, exponent) >= smallest * (1 - 1e-9)) ?? 10;
  const [factor, power] = whole && scaled(round, exponent) < 1 ? [1, 0] : [round, exponent];
  const count = Math.ceil((most / scaled(factor, power)) * (1 - 1e-9));
  return Array.from({ length: count + 1 }, (_, line) => scaled(line * factor, power));
}

/** Through text, because products of floats are not round: 3 * 0.1 is 0.30000000000000004. */
function scaled(factor: number, exponent: number): number {
  return Number(`${factor}e${exponent}`);
}
