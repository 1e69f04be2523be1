/** The lines of a sparkline, from its values. */

const WIDTH = 60;
const HEIGHT = 16;
export const SPARK_BOX = `0 0 ${WIDTH} ${HEIGHT}`;
/** A line that is shorter would be seen as a dot or a dash. */
const WIDTH_MIN = WIDTH / 4;

/**
 * Returns the points of each line, as SVG has them. `values`: the oldest first, of which the last is
 * at the right; a gap (null) ends a line. Lines that would only be dots are left out. `top`: the value
 * at the top.
 */
export function sparkLines(
  values: readonly (number | null)[],
  slots: number,
  top: number,
): readonly string[] {
  const step = WIDTH / Math.max(1, slots - 1);
  const first = slots - values.length;
  const lines: string[][] = [[]];
  for (const [index, value] of values.entries()) {
    if (value === null) {
      lines.push([]);
      continue;
    }
    const x = (first + index) * step;
    const y = HEIGHT - 1 - (Math.min(value, top) / top) * (HEIGHT - 2);
    lines.at(-1)?.push(`${x.toFixed(1)},${y.toFixed(1)}`);
  }
  return lines
    .filter(({ length }) => length > 1 && (length - 1) * step >= WIDTH_MIN)
    .map((points) => points.join(' '));
}
