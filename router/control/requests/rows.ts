/** Requests that were admitted and requests that were refused, in one list. */
import type { RefusalEntry } from '../../../shared/api/refusals.ts';
import type { UsageEntry } from '../../../shared/api/usage.ts';
import { CSV_ROWS } from '../csv-file.ts';

/** `at`: when the request ended, in ms since the epoch. A refused one ended as it arrived. */
export type RequestOfEitherKind =
  | Readonly<{ kind: 'admitted'; at: number; entry: UsageEntry }>
  | Readonly<{ kind: 'refused'; at: number; entry: RefusalEntry }>;

/**
 * Merges two lists that are each newest first, and ends after `most` rows. A page of either list is
 * read when its rows are wanted.
 */
export async function* mergedPages(
  admitted: AsyncIterable<readonly UsageEntry[]>,
  refused: AsyncIterable<readonly RefusalEntry[]>,
  most: number,
): AsyncGenerator<RequestOfEitherKind[]> {
  const lists = [admittedRows(admitted), refusedRows(refused)] as const;
  const heads = [await lists[0].next(), await lists[1].next()];
  try {
    let page: RequestOfEitherKind[] = [];
    for (let rows = 0; rows < most; rows++) {
      const [one, other] = heads.map((head) => (head.done ? null : head.value.at));
      if (one === null && other === null) break;
      const later = (one ?? -Infinity) >= (other ?? -Infinity) ? 0 : 1;
      page.push((heads[later] as IteratorYieldResult<RequestOfEitherKind>).value);
      if (page.length === CSV_ROWS) {
        yield page;
        page = [];
      }
      heads[later] = await lists[later].next();
    }
    yield page;
  } finally {
    for (const list of lists) await list.return(undefined);
  }
}

async function* admittedRows(
  pages: AsyncIterable<readonly UsageEntry[]>,
): AsyncGenerator<RequestOfEitherKind> {
  for await (const page of pages) {
    for (const entry of page) {
      yield { kind: 'admitted', at: Date.parse(entry.created) + entry.duration_ms, entry };
    }
  }
}

async function* refusedRows(
  pages: AsyncIterable<readonly RefusalEntry[]>,
): AsyncGenerator<RequestOfEitherKind> {
  for await (const page of pages) {
    for (const entry of page) yield { kind: 'refused', at: Date.parse(entry.created), entry };
  }
}
