/** The checks of `ledger verify`. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../store/procedure.ts';

/** Finds at most `limit` differences, each a sentence. */
export type Check = (db: Db, limit: number) => Promise<string[]>;

/** A check that is one query for wrong rows, with a sentence for each. */
export function rowsThatDiffer<Row>(query: RawBuilder<Row>, sentence: (row: Row) => string): Check {
  return async (db, limit) => {
    const { rows } = await sql<Row>`${query} limit ${sql.lit(limit)}`.execute(db);
    return rows.map(sentence);
  };
}
