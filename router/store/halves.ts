/** Sums that exceed 64 bits, in SQL. */
import { type RawBuilder, sql } from 'kysely';

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
