/**
 * Money: integer pico-USD (10⁻¹² USD) as bigint from end to end. Prices have at most twelve
 * decimals per token, so a charge is exact and nothing is ever rounded.
 */

declare const pico: unique symbol;
/** An amount in pico-USD. Only the functions of this file create it. */
export type PicoUsd = bigint & { readonly [pico]: true };

export const PICO_PER_USD = 1_000_000_000_000n;
export const ZERO = 0n as PicoUsd;

/** Types an integer that is already in pico-USD (from the store, or a sum of amounts). */
export function picoUsd(amount: bigint): PicoUsd {
  return amount as PicoUsd;
}

const DECIMAL = /^(-?)(\d{1,7})(?:\.(\d{1,12}))?$/;

/**
 * Parses a decimal USD string: `"5"`, `"0.00000015"`, `"-2.5"`. Returns null when the text is not
 * such a string, has more than twelve decimals, or has more than seven digits before the point.
 */
export function parseUsd(text: string): PicoUsd | null {
  const match = DECIMAL.exec(text);
  if (!match) return null;
  const [, sign, whole = '0', fraction = ''] = match;
  const amount = BigInt(whole) * PICO_PER_USD + BigInt(fraction.padEnd(12, '0'));
  return (sign === '-' ? -amount : amount) as PicoUsd;
}

/** Parses the text of an amount that was checked before. */
export function inPico(text: string): PicoUsd {
  return parseUsd(text) as PicoUsd;
}

/** Writes an amount as a decimal USD string: exact, with no trailing zeros. */
export function formatUsd(amount: bigint): string {
  const sign = amount < 0n ? '-' : '';
  const size = amount < 0n ? -amount : amount;
  const fraction = (size % PICO_PER_USD).toString().padStart(12, '0').replace(/0+$/, '');
  return `${sign}${size / PICO_PER_USD}${fraction === '' ? '' : `.${fraction}`}`;
}

/** People read amounts with cents, and with more decimals where there are any. */
export const DECIMALS_MIN = 2;

/** How many decimals show every digit of these amounts, so that they can stand below each other. */
export function decimalsOf(amounts: readonly string[]): number {
  return Math.max(DECIMALS_MIN, ...amounts.map((usd) => usd.split('.')[1]?.length ?? 0));
}

/** People read prices of so many tokens. The APIs have prices of one token. */
export const PRICED_TOKENS = 1_000_000n;

/** Prices in pico-USD per token. */
export type Price = Readonly<{ prompt: PicoUsd; completion: PicoUsd; cached: PicoUsd }>;

/**
 * Token counts as they are billed. `cached` is the part of `prompt` that came from a prefix cache.
 */
export type BilledTokens = Readonly<{ prompt: number; cached: number; completion: number }>;

/** Returns the exact cost of these tokens at this price. */
export function charge(price: Price, tokens: BilledTokens): PicoUsd {
  return picoUsd(
    BigInt(tokens.prompt - tokens.cached) * price.prompt +
      BigInt(tokens.cached) * price.cached +
      BigInt(tokens.completion) * price.completion,
  );
}
