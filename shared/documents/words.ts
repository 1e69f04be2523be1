/** Amounts and dates as people read them on documents. */
import { DECIMALS_MIN, formatUsd, inPico, PRICED_TOKENS } from '../money.ts';

const DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const GROUPS = new Intl.NumberFormat('en-US');

/** On every document, because `$` alone could be another country's dollar. */
export const CURRENCY_FACT = ['Currency', 'All amounts in USD'] as const;

/** `"2026-11-26T20:00:00.000Z"` → `"Nov 26, 2026"`, in UTC. */
export function dateOf(instant: string): string {
  return DATE.format(new Date(instant));
}

/** `"1020"` → `"1,020.00"`: every digit, and at least `decimals` decimals, which a column shares. */
export function amountOf(amount: string, decimals = DECIMALS_MIN): string {
  const size = amount.replace(/^-/, '');
  const [whole = '0', fraction = ''] = size.split('.');
  const digits = `${GROUPS.format(BigInt(whole))}.${fraction.padEnd(decimals, '0')}`;
  return `${size === amount ? '' : '−'}${digits}`;
}

/** `"20.0000"` → `["20.00", "00"]`: an amount, and the zeros that only fill its column up. */
export function withoutFill(text: string): readonly [own: string, fill: string] {
  const [, own = text, fill = ''] = /^(.*\.\d\d(?:\d*[1-9])?)(0+)$/.exec(text) ?? [];
  return [own, fill];
}

/** `1020` → `"1,020"`. */
export function countOf(count: number): string {
  return GROUPS.format(count);
}

/** `"1020"` → `"$1,020.00"`. */
export function dollarsOf(amount: string, decimals = DECIMALS_MIN): string {
  const text = amountOf(amount, decimals);
  return text.startsWith('−') ? `−$${text.slice(1)}` : `$${text}`;
}

/** The price of one token → that of a million: `"0.0000002"` → `"$0.20"`. */
export function priceOf(price: string): string {
  return usdOf(inPico(price) * PRICED_TOKENS);
}

/** The first instant after a period → its last day: `"Nov 30, 2026"`, in UTC. */
export function lastDayOf(end: string): string {
  return dateOf(new Date(Date.parse(end) - 1).toISOString());
}

/** Pico-USD → `"$20.00"`. */
export function usdOf(amount: bigint): string {
  return dollarsOf(formatUsd(amount));
}
