/** Calendar months in UTC, which the store counts as year * 12 + month - 1. */

/** Returns the month that contains an instant. */
export function monthOf(instant: number): bigint {
  const date = new Date(instant);
  return BigInt(date.getUTCFullYear() * 12 + date.getUTCMonth());
}

/** Returns the instant at which a month begins. */
export function startOfMonth(month: bigint): number {
  return Date.UTC(Number(month / 12n), Number(month % 12n));
}

/** Returns the name of a month, such as `2026-11`. */
export function nameOfMonth(month: bigint): string {
  return `${month / 12n}-${String((month % 12n) + 1n).padStart(2, '0')}`;
}
