/**
 * The usage page keeps its whole state in the address bar: links can share it, and it survives a
 * reload.
 */
import { valuesOf } from '../../search-values.ts';
import { type UsageSearch } from '../../search.ts';

export const FILTERS = ['model', 'key', 'member', 'source', 'status'] as const;
export type Filter = (typeof FILTERS)[number];

/** A change of the state. An undefined value removes its entry. */
export type UsageChange = { [Name in keyof UsageSearch]?: UsageSearch[Name] | undefined };

/**
 * Applies a change. A change of the time resets the bucket to the default for that time. Days and a
 * range exclude each other.
 */
export function changed(search: UsageSearch, change: UsageChange): UsageSearch {
  const isOtherTime = 'range' in change || 'from' in change;
  const kept: UsageChange = isOtherTime
    ? { ...search, range: undefined, from: undefined, to: undefined, bucket: undefined }
    : search;
  return Object.fromEntries(
    Object.entries({ ...kept, ...change }).filter(([, value]) => value !== undefined),
  );
}

export type Narrowing = Readonly<Partial<Record<Filter, readonly string[]>>>;

/** Returns the values of the filters that are set. */
export function narrowingOf(search: UsageSearch): Narrowing {
  return Object.fromEntries(
    FILTERS.map((filter) => [filter, valuesOf(search[filter])] as const).filter(
      ([, values]) => values.length > 0,
    ),
  );
}

/** The change that removes all filters. */
export const NO_FILTERS: UsageChange = Object.fromEntries(
  FILTERS.map((filter) => [filter, undefined]),
);
