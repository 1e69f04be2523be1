/**
 * Amounts as people read them. The API sends exact decimal strings; the dashboard computes with
 * integers of pico-USD, never with floats.
 */
import {
  DECIMALS_MIN,
  decimalsOf,
  formatUsd,
  parseUsd,
  PRICED_TOKENS,
} from '../../../shared/money.ts';

const CENT = 10_000_000_000n;
const DOLLAR = 100n * CENT;
/** The fourth decimal. */
const HUNDREDTH = CENT / 100n;
/** The decimals of a pico-USD. */
const DECIMALS = 12;
const DIGITS = new Intl.NumberFormat('en-US');

/**
 * `"12.345678"` → `"$12.35"`. An amount has two decimals if it is a dollar or more, or is whole
 * cents. Any other has four, or as many as two significant digits need: $0.0126, $0.0062, $0.00012.
 * So small amounts beside each other add up, and no cost looks free. `decimals`: shows so many
 * instead, for a column (usd-column.ts).
 */
export function shownUsd(amount: string, decimals?: number): string {
  const size = sizeOf(picoOf(amount));
  const usual = size < DOLLAR ? smallest(HUNDREDTH, stepOf(size)) : CENT;
  const step = decimals === undefined ? usual : placeOf(decimals);
  return written(roundedPico(amount, step), decimals);
}

/**
 * `"4.99998"` → `"$4.99"`. A balance has two decimals if it is a dollar or more, and otherwise four,
 * so that it keeps its digits while requests are charged. It is rounded down: credit never looks like
 * more than it is, and a debt never like less, so that who pays what is shown has paid enough.
 * `decimals`: shows so many instead, for a column (usd-column.ts).
 */
export function balanceUsd(amount: string, decimals?: number): string {
  const pico = picoOf(amount);
  const places = decimals ?? balanceDecimals(pico);
  const step = placeOf(places);
  if (pico > 0n && pico < HUNDREDTH && pico < step) return '< $0.0001';
  return written(roundedBalance(amount, step), places);
}

function balanceDecimals(pico: bigint): number {
  const size = sizeOf(pico);
  return size === 0n || size >= DOLLAR ? 2 : 4;
}

/** Whether a balance has more digits than are shown of it. */
export function isBalanceRounded(amount: string, decimals?: number): boolean {
  const pico = picoOf(amount);
  return roundedBalance(amount, placeOf(decimals ?? balanceDecimals(pico))) !== pico;
}

/** An amount as it is shown in steps of `step`, in pico-USD. */
export function roundedPico(amount: string, step: bigint): bigint {
  return inSteps(picoOf(amount), step, step / 2n);
}

/** A balance as it is shown in steps of `step`, in pico-USD. */
export function roundedBalance(amount: string, step: bigint): bigint {
  const pico = picoOf(amount);
  return inSteps(pico, step, pico < 0n ? step - 1n : 0n);
}

/** Adds `up` to the size and leaves out what is less than `step`. */
function inSteps(pico: bigint, step: bigint, up: bigint): bigint {
  const size = ((sizeOf(pico) + up) / step) * step;
  return pico < 0n ? -size : size;
}

/** The value of the last of so many decimals. */
export function placeOf(decimals: number): bigint {
  return 10n ** BigInt(DECIMALS - decimals);
}

/** Writes an amount with at least so many decimals. */
function written(pico: bigint, decimals = 2): string {
  const [whole = '0', fraction = ''] = formatUsd(sizeOf(pico)).split('.');
  const shown = fraction.padEnd(fraction.length > decimals ? 4 : decimals, '0');
  return `${pico < 0n ? '−' : ''}$${DIGITS.format(BigInt(whole))}.${shown}`;
}

function sizeOf(pico: bigint): bigint {
  return pico < 0n ? -pico : pico;
}

/** `"12.345678"` → `"$12.345678"`: shows every digit, and at least so many decimals. */
export function exactUsd(amount: string, decimals = DECIMALS_MIN): string {
  const pico = picoOf(amount);
  const [whole = '0', fraction = ''] = formatUsd(sizeOf(pico)).split('.');
  return `${pico < 0n ? '−' : ''}$${DIGITS.format(BigInt(whole))}.${fraction.padEnd(decimals, '0')}`;
}

/** `"5"` → `"$5"`, `"5.5"` → `"$5.50"`: an amount within a sentence. */
export function wordedUsd(amount: string): string {
  return exactUsd(amount).replace(/\.00$/, '');
}

/** Converts the price of one token to the price of a million tokens. */
export function perMillion(price: string): string {
  return formatUsd(picoOf(price) * PRICED_TOKENS);
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

/** Writes heights of bars with at least so many decimals, as amounts beside them have. */
export function heightsWith(decimals: number): (height: number) => string {
  return (height) => {
    const amount = height.toFixed(DECIMALS);
    return shownUsd(amount, Math.max(decimals, decimalsOf([shownUsd(amount)])));
  };
}

/**
 * Writes the height of a grid line as an amount, with every digit: it is a round one. `step`: the
 * distance of the lines, which all have as many decimals as it has, but for the line at zero.
 */
export function exactHeight(height: number, step = height): string {
  if (height === 0) return exactly(0);
  const [, decimals = ''] = exactly(step).split('.');
  const [whole = '0', fraction = ''] = exactly(height).split('.');
  return `${whole}.${fraction.padEnd(decimals.length, '0')}`;
}

function exactly(height: number): string {
  return exactUsd(formatUsd(picoOf(height.toFixed(DECIMALS))));
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

/**
 * Returns the place value of the second significant digit of `size`, but a hundredth of a cent
 * instead of a tenth of one, and never more than a cent. Returns a cent for zero.
 */
function stepOf(size: bigint): bigint {
  if (size === 0n) return CENT;
  const step = 10n ** BigInt(Math.max(0, size.toString().length - 2));
  if (step >= CENT) return CENT;
  return step > HUNDREDTH ? HUNDREDTH : step;
}

function smallest(...sizes: readonly bigint[]): bigint {
  return sizes.reduce((least, size) => (size < least ? size : least));
}
