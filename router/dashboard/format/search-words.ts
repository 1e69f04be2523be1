/** Which names a search finds, and in what order. */

/** The words of a search, in small letters. A text must have each of them to be found. */
export function searchWords(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/**
 * Returns the items whose names have each word of the search: first the one that is called so, then
 * those that begin with it.
 */
export function foundByName<Item extends Readonly<{ name: string }>>(
  items: readonly Item[],
  search: string,
): readonly Item[] {
  const words = searchWords(search);
  const whole = words.join(' ');
  const placeOf = ({ name }: Item) => {
    const small = name.toLowerCase();
    return small === whole ? 0 : small.startsWith(whole) ? 1 : 2;
  };
  return items
    .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
    .toSorted((one, other) => placeOf(one) - placeOf(other));
}
