/** Converts between Stripe's US cents and the ledger's pico-USD. Nothing is rounded. */
import { PICO_PER_USD, type PicoUsd, picoUsd } from '../../../shared/money.ts';

const PICO_PER_CENT = PICO_PER_USD / 100n;

/**
 * Returns null when the amount is not a positive whole number of cents, or is too large for a safe
 * integer.
 */
export function centsOf(amount: PicoUsd): number | null {
  const cents = Number(amount / PICO_PER_CENT);
  const fits = amount > 0n && amount % PICO_PER_CENT === 0n && Number.isSafeInteger(cents);
  return fits ? cents : null;
}

export function fromCents(cents: number): PicoUsd {
  return picoUsd(BigInt(cents) * PICO_PER_CENT);
}

/** Rounds an amount down to whole cents, because providers charge no part of a cent. */
export function wholeCents(amount: bigint): bigint {
  return amount - (amount % PICO_PER_CENT);
}
