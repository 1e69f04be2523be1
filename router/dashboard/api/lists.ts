/**
 * Paginated lists of the API: the `next` of one page is the `after` of the page that follows. The
 * data of a query is the rows of all pages that were loaded.
 */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { get, type Page, type Query } from './client.ts';

export function listQuery<Item>(queryKey: readonly unknown[], path: string, query: Query = {}) {
  return infiniteQueryOptions({
    queryKey: [...queryKey, query],
    queryFn: ({ pageParam, signal }) =>
      get<Page<Item>>(path, { limit: 50, ...query, after: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    select: rowsOf<Item>,
  });
}

function rowsOf<Item>(data: Readonly<{ pages: readonly Page<Item>[] }>): readonly Item[] {
  return data.pages.flatMap((page) => page.data);
}
