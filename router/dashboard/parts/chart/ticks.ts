/** The grid lines of a chart, at round values. */

/** Multiples of a power of ten that people read easily. */
const ROUND = [1, 2, 5] as const;
const INTERVALS_MAX = 5;

/** Labels that stay the same for so many longer intervals stay the same for all. */
const LONGER_MAX = 12;

/**
 * Returns the heights of the grid lines from 0 to the first line at or above `most`: multiples of
 * 1, 2 or 5 times a power of ten. With `whole`, none of them is a fraction. No two of them have the
 * same label. `label` gets the distance of the lines, too.
 */
export function ticksUpTo(
  most: number,
  whole: boolean,
  label: (height: number, step: number) => string = String,
): number[] {
  if (!(most > 0)) return [0, 1];
  const smallest = most / INTERVALS_MAX;
  const exponent = Math.floor(Math.log10(smallest));
  const round = ROUND.findIndex((one) => scaled(one, exponent) >= smallest * (1 - 1e-9));
  const first = ROUND.length * exponent + (round < 0 ? ROUND.length : round);
  const nearest = whole ? Math.max(0, first) : first;
  for (let nth = nearest; nth < nearest + LONGER_MAX; nth++) {
    const power = Math.floor(nth / ROUND.length);
    const factor = ROUND[nth - ROUND.length * power] ?? 1;
    const lines = linesOf(most, factor, power);
    if (new Set(lines.map((line) => label(line, scaled(factor, power)))).size === lines.length)
      return lines;
  }
  return [0, most];
}

function linesOf(most: number, factor: number, power: number): number[] {
  const count = Math.ceil((most / scaled(factor, power)) * (1 - 1e-9));
  return Array.from({ length: count + 1 }, (_, line) => scaled(line * factor, power));
}

/** Through text, because products of floats are not round: 3 * 0.1 is 0.30000000000000004. */
function scaled(factor: number, exponent: number): number {
  return Number(`${factor}e${exponent}`);
}
