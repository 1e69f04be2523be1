/**
 * Which colour each group has in charts of usage. A group keeps the colour that it had first, as long
 * as the dashboard is open, so that it is known again when a filter leaves the others out.
 */
import { COLOURS } from '../../parts/series.ts';

/** By what they are groups of, and then by group. */
const GIVEN = new Map<string, Map<string | null, number>>();

/**
 * The colour of each of these groups, which are in one chart, the most important first. Remembers
 * the colours of new ones. `by`: what they are groups of.
 */
export function coloursOf(by: string, groups: readonly (string | null)[]): number[] {
  const given = GIVEN.get(by) ?? new Map<string | null, number>();
  GIVEN.set(by, given);
  const taken = new Set<number>();
  return groups.map((group, index) => {
    const known = given.get(group);
    const colour =
      known !== undefined && !taken.has(known) ? known : newColour(given, taken, groups, index);
    taken.add(colour);
    given.set(group, colour);
    return colour;
  });
}

/** One that no other group of the chart has, and if possible none that is known by it. */
function newColour(
  given: ReadonlyMap<string | null, number>,
  taken: ReadonlySet<number>,
  groups: readonly (string | null)[],
  index: number,
): number {
  const coming = new Set(groups.slice(index + 1).map((group) => given.get(group)));
  const all = Array.from({ length: COLOURS }, (_, colour) => colour);
  const free = all.filter((colour) => !taken.has(colour));
  const known = new Set(given.values());
  return (
    free.find((colour) => !known.has(colour)) ??
    free.find((colour) => !coming.has(colour)) ??
    free[0] ??
    // With more groups than colours, some share one.
    index % COLOURS
  );
}
