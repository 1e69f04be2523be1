/** Stripe counts US cents, the ledger pico-USD: between them nothing is rounded. */
import { PICO_PER_USD, type PicoUsd, picoUsd } from '../../../shared/money.ts';

const PICO_PER_CENT = PICO_PER_USD / 100n;

/** Null: it is no whole number of cents, or none that anybody pays. */
export function centsOf(amount: PicoUsd): number | null {
  const cents = Number(amount / PICO_PER_CENT);
  const fits = amount > 0n && amount % PICO_PER_CENT === 0n && Number.isSafeInteger(cents);
  return fits ? cents : null;
}

export function fromCents(cents: number): PicoUsd {
  return picoUsd(BigInt(cents) * PICO_PER_CENT);
}

/** What of an amount can be paid: providers pay no part of a cent. */
export function wholeCents(amount: bigint): bigint {
  return amount - (amount % PICO_PER_CENT);
}
