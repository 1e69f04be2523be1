/**
 * What an invoice asks for. A bank pays whole cents, while charges are exact to the pico-USD. So
 * whole cents are due, and less than a cent stays on the balance as a debt, which the next invoice
 * brings forward. No transfer is rounded.
 */
import { PICO_PER_USD } from './money.ts';

export const PICO_PER_CENT = PICO_PER_USD / 100n;

/** `left`: the balance once all earlier open invoices are paid. */
export function dueOf(left: bigint): bigint {
  return left < 0n ? -left - (-left % PICO_PER_CENT) : 0n;
}

/**
 * What an invoice leaves for the next one: credit or, if it is negative, a debt of less than a cent.
 * The total, less what was brought forward, plus what is carried forward, is due.
 */
export function carriedForward(
  of: Readonly<{ total: bigint; broughtForward: bigint; amountDue: bigint }>,
): bigint {
  return of.amountDue - of.total + of.broughtForward;
}
