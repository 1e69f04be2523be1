/** Calendar months in UTC. The store counts them as year * 12 + month - 1. */

/** Returns the month that contains an instant (ms since the epoch). */
export function monthOf(instant: number): bigint {
  const date = new Date(instant);
  return BigInt(date.getUTCFullYear() * 12 + date.getUTCMonth());
}

/** Returns the last month that was over at an instant (ms since the epoch). */
export function monthBefore(instant: number): bigint {
  return monthOf(instant) - 1n;
}

/** Returns when a month begins, in ms since the epoch. */
export function startOfMonth(month: bigint): number {
  return Date.UTC(Number(month / 12n), Number(month % 12n));
}

/** Names a month for people, for example 2026-11. */
export function nameOfMonth(month: bigint): string {
  return `${month / 12n}-${String((month % 12n) + 1n).padStart(2, '0')}`;
}
