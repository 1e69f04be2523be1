/** The checks of `ledger verify`. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../store/procedure.ts';
import type { Schema } from '../store/schema.ts';

/** Finds at most `limit` differences, each a sentence. */
export type Check = (db: Db, limit: number) => Promise<string[]>;

/** A check that is one query for wrong rows, with a sentence for each. */
export function rowsThatDiffer<Row>(query: RawBuilder<Row>, sentence: (row: Row) => string): Check {
  return async (db, limit) => {
    const { rows } = await sql<Row>`${query} limit ${sql.lit(limit)}`.execute(db);
    return rows.map(sentence);
  };
}

/** A check that reads all rows, and finds the faults of each by itself. */
export function rowsWithFaults<Row>(
  read: (db: Db, after: Row | null) => Promise<readonly Row[]>,
  faultsOf: (row: Row, db: Db) => readonly string[] | Promise<readonly string[]>,
): Check {
  return async (db, limit) => {
    const faults: string[] = [];
    for await (const row of eachRow<Row>((after) => read(db, after))) {
      faults.push(...(await faultsOf(row, db)));
      if (faults.length >= limit) break;
    }
    return faults.slice(0, limit);
  };
}

/** Finds rows of organizations that have no account. `name` is the name of the table for people. */
export function rowsOfNobody(table: keyof Schema, name: string = table): Check {
  return rowsThatDiffer(
    sql<{ organization: string }>`
      select x.organization from (select distinct organization from ${sql.table(table)}) x
      where not exists (select 1 from accounts a where a.id = x.organization)`,
    ({ organization }) => `${name}: there are rows of ${organization}, which has no account`,
  );
}

export const PAGE_ROWS = 500;

/** Yields rows that are read in pages of PAGE_ROWS, each page from the row `after` on. */
export async function* eachRow<Row>(
  read: (after: Row | null) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  let rows: readonly Row[] = await read(null);
  while (rows.length === PAGE_ROWS) {
    yield* rows;
    rows = await read(rows.at(-1) ?? null);
  }
  yield* rows;
}
