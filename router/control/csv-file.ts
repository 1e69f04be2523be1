/** Lists that a route sends as a CSV file instead of JSON. */
import type { FastifyReply } from 'fastify';
import { csvRecord } from '../../shared/csv.ts';
import type { Downloads } from './downloads.ts';
import type { Page } from './pages.ts';

export function asFile(reply: FastifyReply, name: string): FastifyReply {
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`);
}

export type Columns<Item> = Readonly<Record<string, (item: Item) => string | number | null>>;

/**
 * Streams pages as they are read. The next page is read when the client has received the previous
 * one. Throws `Refused` when too many files are being sent.
 */
export function sendPages<Item>(
  reply: FastifyReply,
  name: string,
  columns: Columns<Item>,
  pages: AsyncIterable<readonly Item[]>,
): FastifyReply {
  const downloads: Downloads = reply.server.downloads;
  return downloads.send(asFile(reply, name), piecesOf(columns, pages));
}

/** Rows that are read at once for a CSV. */
export const CSV_ROWS = 500;
/** Rows that are written in one turn of the event loop. */
const PIECE_ROWS = 100;

/** Reads a list page by page, from `after` on, and makes an item of each row. */
export async function* itemsFrom<Row, Cursor, Item>(
  after: Cursor | null,
  read: (after: Cursor | null) => Promise<Page<Row, Cursor>>,
  itemOf: (row: Row) => Item,
): AsyncGenerator<Item[]> {
  let from = after;
  do {
    const { rows, next } = await read(from);
    yield rows.map(itemOf);
    from = next;
  } while (from !== null);
}

async function* piecesOf<Item>(
  columns: Columns<Item>,
  pages: AsyncIterable<readonly Item[]>,
): AsyncGenerator<string> {
  yield csvRecord(Object.keys(columns));
  const values = Object.values(columns);
  for await (const page of pages) {
    // Lets a search that finds nothing be ended.
    if (page.length === 0) yield '';
    for (let from = 0; from < page.length; from += PIECE_ROWS) {
      const rows = page.slice(from, from + PIECE_ROWS);
      yield rows.map((item) => csvRecord(values.map((value) => csvText(value(item))))).join('');
    }
  }
}

export function csvText(value: string | number | null): string {
  return value === null ? '' : String(value);
}
