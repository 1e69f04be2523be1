/** Rounds an instant or a duration to the whole ms that the store keeps. */
export function milliseconds(ms: number): bigint {
  return BigInt(Math.round(ms));
}
