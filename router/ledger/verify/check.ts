/** The checks of `ledger verify`, and sums that exceed 64 bits. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../store/procedure.ts';

/** Finds at most `limit` differences, each a sentence. */
export type Check = (db: Db, limit: number) => Promise<string[]>;

/** A check that is one query for wrong rows, with a sentence for each. */
export function rowsThatDiffer<Row>(query: RawBuilder<Row>, sentence: (row: Row) => string): Check {
  return async (db, limit) => {
    const { rows } = await sql<Row>`${query} limit ${sql.lit(limit)}`.execute(db);
    return rows.map(sentence);
  };
}

/**
 * A sum of amounts in two parts, `high` (millions) and `low`: all transfers of a busy account
 * together exceed 64 bits, where SQLite's `sum` fails.
 */
const HALF = 1_000_000n;
export function sumHalves(amount: RawBuilder<unknown>, name: string): RawBuilder<unknown> {
  const half = sql.lit(HALF);
  return sql`sum((${amount}) / ${half}) as ${sql.ref(`${name}_high`)},
    sum((${amount}) % ${half}) as ${sql.ref(`${name}_low`)}`;
}

/** What a transfer `t` changes in its customer's balance; 0 if it does not name that customer. */
export const CHANGE = sql`case
  when t.credit = 'customer:' || t.organization then t.amount
  when t.debit = 'customer:' || t.organization then -t.amount
  else 0 end`;

/** Whether a transfer `t` paid an invoice; it is then on no invoice itself. */
export const IS_INVOICE_PAYMENT = sql`(t.kind = 'payment'
  and t.reference in (select id from invoices))`;

/** Splits one amount in the same way. */
export function halvesOf(amount: bigint): { high: bigint; low: bigint } {
  return { high: amount / HALF, low: amount % HALF };
}

/** The whole sum, in a query over its parts. It must fit 64 bits, as its counterpart does. */
export function wholeSum(table: string, name: string): RawBuilder<unknown> {
  const high = sql.ref(`${table}.${name}_high`);
  const low = sql.ref(`${table}.${name}_low`);
  return sql`(coalesce(${high}, 0) * ${sql.lit(HALF)} + coalesce(${low}, 0))`;
}

/** The whole sum, of any size. */
export function joinHalves(high: bigint | string | null, low: bigint | string | null): bigint {
  return BigInt(high ?? 0n) * HALF + BigInt(low ?? 0n);
}
