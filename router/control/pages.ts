/**
 * Pages of a list. A query reads one row more than the limit, to see whether there is a next page.
 */
import type { ReferenceExpression, SelectQueryBuilder } from 'kysely';

/** The rows that a request for a page wants: at most `limit`, after the id `after`. */
export type ListQuery<Id> = Readonly<{ after: Id | null; limit: number }>;

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

/**
 * For procedures: reads a page of a query, newest first. `column` is the id of its rows, as the
 * query names it.
 */
export async function readPage<Schema, Tables extends keyof Schema, Row extends { id: string }>(
  query: SelectQueryBuilder<Schema, Tables, Row>,
  column: ReferenceExpression<Schema, Tables> & string,
  { after, limit }: ListQuery<Row['id']>,
): Promise<Page<Row, Row['id']>> {
  const newest = query.orderBy(column, 'desc').limit(limit + 1);
  const asked = after === null ? newest : newest.where(column, '<', after as never);
  return cutPage(await asked.execute(), limit, ({ id }) => id);
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
