/** Calendar months in UTC, as the store counts them: year * 12 + month - 1. */

/** The month that an instant (ms since the epoch) is in. */
export function monthOf(instant: number): bigint {
  const date = new Date(instant);
  return BigInt(date.getUTCFullYear() * 12 + date.getUTCMonth());
}

/** The month that was over last at an instant. */
export function monthBefore(instant: number): bigint {
  return monthOf(instant) - 1n;
}

/** When a month begins, in ms since the epoch. */
export function startOf(month: bigint): number {
  return Date.UTC(Number(month / 12n), Number(month % 12n));
}
