/** Which lines of a chart are shown, by the names that are hidden. */
import type { Coloured } from './series.ts';

/**
 * Returns the series that are not hidden, with the colours that they have among all. All of them if
 * none would be left: a choice for other charts of the page leaves no chart empty.
 */
export function shownLines<Line extends Coloured>(
  series: readonly Line[],
  hidden: ReadonlySet<string>,
): readonly Line[] {
  const kept = series
    .map((one, index) => ({ ...one, colour: one.colour ?? index }))
    .filter(({ name }) => !hidden.has(name));
  return kept.length === 0 || kept.length === series.length ? series : kept;
}

/** What is hidden after a press on a name shows this line alone or, if it was alone, all of them. */
export function hiddenAfterPress(
  series: readonly Coloured[],
  hidden: ReadonlySet<string>,
  name: string,
): ReadonlySet<string> {
  const names = new Set(series.map((one) => one.name));
  const shown = shownLines(series, hidden);
  const isAlone = shown.every((one) => one.name === name);
  const before = hidden.difference(names);
  return isAlone ? before : before.union(new Set([...names].filter((one) => one !== name)));
}

/** What is hidden after a press with Shift, which hides the line or shows it again. */
export function hiddenAfterShiftPress(
  series: readonly Coloured[],
  hidden: ReadonlySet<string>,
  name: string,
): ReadonlySet<string> {
  const shown = new Set(shownLines(series, hidden).map((one) => one.name));
  const own = series.map((one) => one.name).filter((one) => !shown.has(one));
  const next = shown.has(name) ? [...own, name] : own.filter((one) => one !== name);
  const others = hidden.difference(new Set(series.map((one) => one.name)));
  return others.union(new Set(next));
}
