/** Amounts as people read them. They come as exact decimal strings and are computed with as integers, never as floats. */
import { formatUsd, parseUsd } from '../../../shared/money.ts';

const CENT = 10_000_000_000n;
const DIGITS = new Intl.NumberFormat('en-US');

export type Rounding = 'nearest' | 'down';

/**
 * `"12.345678"` → `"$12.35"`. Below a cent two digits that count are shown, so that nothing that costs looks free;
 * what is rounded `down` never shows more than there is.
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

/** `"12.345678"` → `"$12.345678"`: to the last digit. */
export function exactUsd(amount: string): string {
  const pico = picoOf(amount);
  const [whole = '0', fraction = ''] = formatUsd(pico < 0n ? -pico : pico).split('.');
  return `${pico < 0n ? '−' : ''}$${DIGITS.format(BigInt(whole))}.${fraction.padEnd(2, '0')}`;
}

/** A price of one token, as one of a million. */
export function perMillion(price: string): string {
  return formatUsd(picoOf(price) * 1_000_000n);
}

/** How much of `whole` a part is, rounded down to a thousandth: what is left is never shown as used. */
export function shareOf(part: string, whole: string): number {
  const all = picoOf(whole);
  return all <= 0n ? 1 : Number((picoOf(part) * 1_000n) / all) / 1_000;
}

/** For the height of a bar, and nothing else. */
export function heightOf(amount: string): number {
  return Number(amount);
}

/** Sums may go beyond what a single amount may be, so this reads any length. */
export function picoOf(amount: string): bigint {
  const known = parseUsd(amount);
  if (known !== null) return known;
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  const size = BigInt(whole) * 1_000_000_000_000n + BigInt(fraction.padEnd(12, '0').slice(0, 12));
  return amount.startsWith('-') ? -size : size;
}

/** The place of the second digit that counts. */
function stepOf(size: bigint): bigint {
  const digits = size.toString().length;
  return 10n ** BigInt(Math.max(0, digits - 2));
}
