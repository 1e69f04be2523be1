/** What the usage page shows stands in the address bar, all of it: so it can be shared, and survives a reload. */
import type { UsageSearch } from '../../search.ts';

export const FILTERS = ['model', 'key', 'member', 'source', 'status'] as const;
export type Filter = (typeof FILTERS)[number];

/** What is undefined is taken out. */
export type UsageChange = { [Name in keyof UsageSearch]?: UsageSearch[Name] | undefined };

/** Another time has its own usual bucket, and days and a range exclude each other. */
export function changed(search: UsageSearch, change: UsageChange): UsageSearch {
  const isOtherTime = 'range' in change || 'from' in change;
  const kept: UsageChange = isOtherTime
    ? { ...search, range: undefined, from: undefined, to: undefined, bucket: undefined }
    : search;
  return Object.fromEntries(
    Object.entries({ ...kept, ...change }).filter(([, value]) => value !== undefined),
  );
}

/** What usage is narrowed to. */
export function narrowingOf(search: UsageSearch): Pick<UsageSearch, Filter> {
  const { model, key, member, source, status } = search;
  return Object.fromEntries(
    Object.entries({ model, key, member, source, status }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

/** For a filter's button that takes all of them out. */
export const NO_FILTERS: UsageChange = Object.fromEntries(
  FILTERS.map((filter) => [filter, undefined]),
);
