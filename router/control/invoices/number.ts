/** Formats invoice numbers as people quote them. */

const DIGITS = 6;

export function numberOf(number: bigint): string {
  return `INV-${String(number).padStart(DIGITS, '0')}`;
}
