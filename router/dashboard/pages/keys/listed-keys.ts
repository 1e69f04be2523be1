/** Searches and sorts the keys of an organization, of which the page has all. */
import type { Key } from '../../../../shared/api/keys.ts';
import { searchWords } from '../../format/search-words.ts';
import { picoOf } from '../../format/usd.ts';
import type { KeySort } from '../../keys-search.ts';

type Listed = Pick<Key, 'name' | 'label' | 'created' | 'last_used' | 'spend'>;

/** Returns the keys whose name or label has each word of `search`, in the order that is given. */
export function listedKeys<Row extends Listed>(
  keys: readonly Row[],
  search: string,
  { sort, order }: Readonly<{ sort: KeySort; order: 'asc' | 'desc' }>,
): readonly Row[] {
  const words = searchWords(search);
  const found = keys.filter(({ name, label }) => {
    const text = `${name} ${label}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const compare = BY[sort];
  const sign = order === 'asc' ? 1 : -1;
  return found.toSorted((a, b) => sign * compare(a, b));
}

const BY: Readonly<Record<KeySort, (a: Listed, b: Listed) => number>> = {
  name: (a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }),
  created: (a, b) => instantOf(a.created) - instantOf(b.created),
  // A key that was never used sorts as the one that was used longest ago.
  last_used: (a, b) => instantOf(a.last_used) - instantOf(b.last_used),
  spend: (a, b) => Number(picoOf(a.spend.month) - picoOf(b.spend.month)),
};

function instantOf(instant: string | null): number {
  return instant === null ? 0 : Date.parse(instant);
}
