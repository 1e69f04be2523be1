/** Which entries of the palette fit a search, and in what order. */

export type Findable = Readonly<{
  key: string;
  name: string;
  /** What else finds the entry, such as its id or an address. */
  words?: readonly string[];
  /** A sentence about the entry. It finds the entry by all words of a search together. */
  about?: string;
  /** The API has found it for this search, so that it fits whatever its name is. */
  isFound?: boolean;
}>;

export type Group<Entry extends Findable = Findable> = Readonly<{
  title: string;
  entries: readonly Entry[];
}>;

/** The entries of a group that are shown at once. */
const SHOWN_MAX = 6;

/** How well an entry fits. The entries that were opened last win only among equals. */
const SCORES = { exact: 100, begins: 80, wordBegins: 60, has: 40, found: 30 } as const;
const RECENT_MAX = 9;

/**
 * Returns the groups with the entries that fit, the best entry first, and the group of the best entry
 * first. Without a search, groups and entries stay as they are, below a group of those that were
 * opened last. `recent`: the keys of these, the last one first.
 */
export function ranked<Entry extends Findable>(
  groups: readonly Group<Entry>[],
  search: string,
  recent: readonly string[],
): readonly Group<Entry>[] {
  if (search.trim() === '') return withRecent(groups, recent);
  return groups
    .map(({ title, entries }) => {
      const scored = entries
        .map((entry) => ({ entry, score: scoreOf(entry, search, recent) }))
        .filter(({ score }) => score > 0)
        .toSorted((one, other) => other.score - one.score)
        .slice(0, SHOWN_MAX);
      return { title, best: scored[0]?.score ?? 0, entries: scored.map(({ entry }) => entry) };
    })
    .filter(({ entries }) => entries.length > 0)
    .toSorted((one, other) => other.best - one.best)
    .map(({ title, entries }) => ({ title, entries }));
}

function withRecent<Entry extends Findable>(
  groups: readonly Group<Entry>[],
  recent: readonly string[],
): readonly Group<Entry>[] {
  const all = new Map(groups.flatMap(({ entries }) => entries.map((entry) => [entry.key, entry])));
  const opened = recent.flatMap((key) => all.get(key) ?? []);
  const rest = groups.map(({ title, entries }) => ({
    title,
    entries: entries.filter(({ key }) => !recent.includes(key)).slice(0, SHOWN_MAX),
  }));
  return [{ title: 'Recent', entries: opened }, ...rest].filter(
    ({ entries }) => entries.length > 0,
  );
}

/** 0: the entry does not have every word of the search. */
function scoreOf(entry: Findable, search: string, recent: readonly string[]): number {
  const text = search.trim().toLowerCase();
  const name = entry.name.toLowerCase();
  const words = (entry.words ?? []).map((word) => word.toLowerCase());
  const score =
    fitOf(text, name, words, entry.about?.toLowerCase() ?? '') ||
    (entry.isFound ? SCORES.found : 0);
  const place = recent.indexOf(entry.key);
  return score === 0 || place < 0 ? score : score + Math.max(1, RECENT_MAX - place);
}

function fitOf(text: string, name: string, words: readonly string[], about: string): number {
  if (name === text || words.includes(text)) return SCORES.exact;
  if (name.startsWith(text)) return SCORES.begins;
  const starts = [...name.split(/[^\p{L}\p{N}]+/u).slice(1), ...words];
  if (starts.some((word) => word.startsWith(text))) return SCORES.wordBegins;
  const haystack = [name, ...words, about].join('\n');
  return text.split(/\s+/).every((word) => haystack.includes(word)) ? SCORES.has : 0;
}
