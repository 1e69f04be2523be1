/**
 * Amounts in two parts, `high` (millions) and `low` (the rest), in SQL: all transfers of a busy
 * account together exceed 64 bits, where SQLite's `sum` fails.
 */
import { type RawBuilder, sql } from 'kysely';

const HALF = 1_000_000n;
const half = sql.lit(HALF);

type Part = bigint | string | null;

export function highOf(amount: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`((${amount}) / ${half})`;
}

export function lowOf(amount: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`((${amount}) % ${half})`;
}

/** The sum of amounts, as the columns `<name>_high` and `<name>_low`. */
export function sumHalves(amount: RawBuilder<unknown>, name: string): RawBuilder<unknown> {
  return sql`sum(${highOf(amount)}) as ${sql.ref(`${name}_high`)},
    sum(${lowOf(amount)}) as ${sql.ref(`${name}_low`)}`;
}

/** Splits one amount in the same way. */
export function halvesOf(amount: bigint): { high: bigint; low: bigint } {
  return { high: amount / HALF, low: amount % HALF };
}

/** The whole of two parts. It must fit 64 bits. */
export function whole(high: RawBuilder<unknown>, low: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${high} * ${half} + ${low})`;
}

/** The whole of two parts as a floating-point number, for an order. */
export function roughWhole(
  high: RawBuilder<unknown>,
  low: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(${high} * ${sql.raw(`${HALF}.0`)} + ${low})`;
}

/** The whole of two sums in millions, for an order. It fits 64 bits. */
export function wholeMillions(
  high: RawBuilder<unknown>,
  low: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(cast(${high} as bigint) + cast(${low} as bigint) / ${half})`;
}

/** The whole sum, in a query over its parts. It must fit 64 bits, as its counterpart does. */
export function wholeSum(table: string, name: string): RawBuilder<unknown> {
  const high = sql.ref(`${table}.${name}_high`);
  const low = sql.ref(`${table}.${name}_low`);
  return whole(sql`coalesce(${high}, 0)`, sql`coalesce(${low}, 0)`);
}

/** The whole sum, of any size. */
export function joinHalves(high: Part, low: Part): bigint {
  return BigInt(high ?? 0n) * HALF + BigInt(low ?? 0n);
}
