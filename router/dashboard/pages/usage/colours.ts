/**
 * Which colour each group has in charts of usage. A group keeps the colour that it had first, as long
 * as the dashboard is open, so that it is known again when a filter leaves the others out.
 */
import { COLOURS } from '../../parts/series.ts';

const GIVEN = new Map<string, number>();

/** The colour of each of these groups, which are in one chart. `by`: what they are groups of. */
export function coloursOf(by: string, groups: readonly (string | null)[]): number[] {
  const taken = new Set<number>();
  const known = groups.map((group) => GIVEN.get(`${by} ${group}`) ?? null);
  const colours = known.map((colour) => {
    if (colour === null || taken.has(colour)) return null;
    taken.add(colour);
    return colour;
  });
  return colours.map((colour, index) => {
    const chosen = colour ?? firstFree(taken);
    taken.add(chosen);
    const name = `${by} ${groups[index]}`;
    if (!GIVEN.has(name)) GIVEN.set(name, chosen);
    return chosen;
  });
}

/** With more groups than colours, some share one. */
function firstFree(taken: ReadonlySet<number>): number {
  for (let colour = 0; colour < COLOURS; colour++) if (!taken.has(colour)) return colour;
  return taken.size % COLOURS;
}
