/**
 * Which colour each group has in charts of usage. A group keeps the colour that it had first in this
 * browser, so that it has the same one on every page, and when a filter leaves the others out.
 */
import { COLOURS } from '../../parts/chart/series.ts';
import { store, stored } from '../../storage.ts';

/** By what they are groups of, and then by group. */
const GIVEN = new Map<string, Map<string | null, number>>();

/** So many groups keep their colours: those that a chart had last. */
const KEPT_MAX = 200;

/**
 * The colour of each of these groups, which are in one chart, the most important first. `by`: what
 * they are groups of.
 */
export function coloursOf(by: string, groups: readonly (string | null)[]): number[] {
  const given = new Map(givenOf(by));
  const taken = new Set<number>();
  return groups.map((group, index) => {
    const known = given.get(group);
    const colour =
      known !== undefined && !taken.has(known) ? known : newColour(given, taken, groups, index);
    taken.add(colour);
    // Where two groups of one colour meet, the other colour is for this chart alone.
    if (known === undefined) given.set(group, colour);
    return colour;
  });
}

/** Remembers the colours of the groups of a chart that was drawn. */
export function keepColours(by: string, groups: readonly (string | null)[]): void {
  const given = givenOf(by);
  const colours = coloursOf(by, groups);
  for (const [index, group] of groups.entries()) {
    const colour = given.get(group) ?? colours[index] ?? 0;
    // At the end stand those that were used last.
    given.delete(group);
    given.set(group, colour);
  }
  GIVEN.set(by, given);
  store(nameOf(by), JSON.stringify([...given].slice(-KEPT_MAX)));
}

function givenOf(by: string): Map<string | null, number> {
  return GIVEN.get(by) ?? remembered(by);
}

function nameOf(by: string): string {
  return `colours-${by}`;
}

function remembered(by: string): Map<string | null, number> {
  try {
    const kept: unknown = JSON.parse(stored(nameOf(by)) ?? '[]');
    return new Map(Array.isArray(kept) ? kept.filter(isGiven) : []);
  } catch {
    return new Map();
  }
}

/** People can change what their browser stores. */
function isGiven(one: unknown): one is [string | null, number] {
  if (!Array.isArray(one)) return false;
  const [group, colour] = one as unknown[];
  const isGroup = group === null || typeof group === 'string';
  return isGroup && Number.isInteger(colour) && Number(colour) >= 0 && Number(colour) < COLOURS;
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
