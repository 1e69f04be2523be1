/** Reads an organization's usage page by page. */
import type { UsageEntry } from '../../../shared/api/usage.ts';
import type { Store } from '../../store/store.ts';
import type { UsageFilter } from '../../usage/listings.ts';
import { CSV_ROWS } from '../csv-file.ts';
import type { Page } from '../pages.ts';
import { listNamedUsage, type NamedUsage } from './procedures.ts';
import { shownEntry } from './serialize.ts';

/**
 * How many store reads one page may take when few rows match. Each read scans a bounded stretch of
 * usage.
 */
const LOOKS_MAX = 10;

type UsageList = Page<NamedUsage, bigint>;

/**
 * Reads on while a page has no rows, up to `LOOKS_MAX` reads. Each is a separate call, so that
 * other work runs in between.
 */
export async function look(
  store: Pick<Store, 'call'>,
  filter: UsageFilter,
): Promise<UsageList | null> {
  let page = await store.call(listNamedUsage, filter);
  for (let looks = 1; looks < LOOKS_MAX; looks++) {
    if (page === null || page.rows.length > 0 || page.next === null) return page;
    page = await store.call(listNamedUsage, { ...filter, before: page.next });
  }
  return page;
}

/** The pages from `first` on. */
export async function* pagesFrom(
  store: Pick<Store, 'call'>,
  filter: UsageFilter,
  first: UsageList,
): AsyncGenerator<UsageEntry[]> {
  let page = first;
  yield page.rows.map(shownEntry);
  while (page.next !== null) {
    const next = await store.call(listNamedUsage, {
      ...filter,
      limit: CSV_ROWS,
      before: page.next,
    });
    if (next === null) return;
    page = next;
    yield page.rows.map(shownEntry);
  }
}
