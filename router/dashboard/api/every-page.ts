/** Reads lists that are shown in full, one page of the API after another. */
import { get, type Page } from './client.ts';

type Query = Readonly<Record<string, string | number | undefined>>;

/** `everyPage` throws when a list has more pages than this. */
const PAGES_MAX = 100;

export async function everyPage<Item>(
  path: string,
  query: Query,
  signal: AbortSignal,
): Promise<Item[]> {
  const items: Item[] = [];
  let after: string | undefined;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page: Page<Item> = await get(path, { limit: 1000, ...query, after }, signal);
    items.push(...page.data);
    if (page.next === null) return items;
    after = page.next;
  }
  throw new Error('This list is too long to show here. Use the API to read all of it.');
}
