/**
 * Amounts as people read them. The API sends exact decimal strings; the dashboard computes with
 * integers of pico-USD, never with floats.
 */
import { formatUsd, parseUsd } from '../../../shared/money.ts';

const CENT = 10_000_000_000n;
/** The decimals of a pico-USD. */
const DECIMALS = 12;
const DIGITS = new Intl.NumberFormat('en-US');

export type Rounding = 'nearest' | 'down';

/**
 * `"12.345678"` → `"$12.35"`. An amount below a cent is shown with two significant digits, so that
 * no cost looks free. `down` rounds towards negative infinity, so that a balance never looks larger
 * than it is.
 */
export function shownUsd(amount: string, rounding: Rounding = 'nearest'): string {
  const pico = picoOf(amount);
  const size = pico < 0n ? -pico : pico;
  const sign = pico < 0n ? '−' : '';
  const step = size === 0n || size >= CENT ? CENT : stepOf(size);
  const up = rounding === 'down' ? (pico < 0n ? step - 1n : 0n) : step / 2n;
  const rounded = ((size + up) / step) * step;
  const [whole = '0', fraction = ''] = formatUsd(rounded).split('.');
  return `${sign}$${DIGITS.format(BigInt(whole))}.${fraction.padEnd(2, '0')}`;
}

/** `"12.345678"` → `"$12.345678"`: shows every digit. */
export function exactUsd(amount: string): string {
  const pico = picoOf(amount);
  const [whole = '0', fraction = ''] = formatUsd(pico < 0n ? -pico : pico).split('.');
  return `${pico < 0n ? '−' : ''}$${DIGITS.format(BigInt(whole))}.${fraction.padEnd(2, '0')}`;
}

/** Converts the price of one token to the price of a million tokens. */
export function perMillion(price: string): string {
  return formatUsd(picoOf(price) * 1_000_000n);
}

/**
 * Returns `part` divided by `whole`, rounded down to a thousandth, so that what is left never
 * counts as used. Returns 1 when `whole` is zero or negative.
 */
export function shareOf(part: string, whole: string): number {
  const all = picoOf(whole);
  return all <= 0n ? 1 : Number((picoOf(part) * 1_000n) / all) / 1_000;
}

export function sumUsd(amounts: readonly string[]): string {
  return formatUsd(amounts.reduce((sum, amount) => sum + picoOf(amount), 0n));
}

/** Converts an amount to an inexact float. Use the float only for the height of a bar. */
export function heightOf(amount: string): number {
  return Number(amount);
}

/** Writes the height of a bar as an amount. */
export function shownHeight(height: number): string {
  return shownUsd(height.toFixed(DECIMALS));
}

/**
 * Returns pico-USD. Accepts amounts of any length, because a sum may exceed the limit of one
 * amount.
 */
export function picoOf(amount: string): bigint {
  const known = parseUsd(amount);
  if (known !== null) return known;
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  const size = BigInt(whole) * 1_000_000_000_000n + BigInt(fraction.padEnd(12, '0').slice(0, 12));
  return amount.startsWith('-') ? -size : size;
}

/** Returns the place value of the second significant digit of `size`. */
function stepOf(size: bigint): bigint {
  const digits = size.toString().length;
  return 10n ** BigInt(Math.max(0, digits - 2));
}
