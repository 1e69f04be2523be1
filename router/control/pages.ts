/**
 * Pages of a list. A query reads one row more than the limit, to see whether there is a next page.
 */

/** `next` is null on the last page. The ledger's pages have this form too. */
export type Page<Row, Cursor> = Readonly<{ rows: readonly Row[]; next: Cursor | null }>;

/** For procedures: makes a page out of up to `limit` + 1 rows. */
export function cutPage<Row, Cursor>(
  found: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => Cursor,
): Page<Row, Cursor> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? cursorOf(last) : null };
}

export function answerPage<Row, Item>(
  { rows, next }: Page<Row, string | bigint>,
  itemOf: (row: Row) => Item,
): { data: Item[]; has_more: boolean; next: string | null } {
  return {
    data: rows.map(itemOf),
    has_more: next !== null,
    next: next === null ? null : String(next),
  };
}
