/** Picks the entries of the palette that fit a search. */

export type Findable = Readonly<{
  name: string;
  /** What else finds the entry, such as its id or an address. */
  words?: readonly string[];
}>;

/** The entries of a group that are shown at once. */
const SHOWN_MAX = 6;

/**
 * Returns those entries that have every word of the search in their name or their other words. Names
 * that begin with the search come first.
 */
export function matching<Entry extends Findable>(
  entries: readonly Entry[],
  search: string,
): readonly Entry[] {
  const text = search.trim().toLowerCase();
  const words = text.split(/\s+/);
  const found = entries.filter(({ name, words: more = [] }) => {
    const haystack = [name, ...more].join('\n').toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
  const begins = ({ name }: Entry) => name.toLowerCase().startsWith(text);
  return [...found.filter(begins), ...found.filter((entry) => !begins(entry))].slice(0, SHOWN_MAX);
}
