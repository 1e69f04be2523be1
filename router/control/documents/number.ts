/** The numbers of receipts and invoices, as people quote them. */

/** The series of invoices. */
export const INVOICES = 'INV';
/** The series of receipts, unless the configured seller has another. */
export const RECEIPTS = 'REC';
/** The series of receipts that were numbered within their organization. */
export const FORMER_RECEIPTS = 'R';

const DIGITS = 6;
const INVOICE = /^(?:INV-)?(\d{1,15})$/;

/** `REC-000001`. */
export function documentNumber(series: string, number: bigint): string {
  return `${series}-${String(number).padStart(DIGITS, '0')}`;
}

/** Returns the number in `INV-000012`, `inv-12` or `12`; null for any other text. */
export function invoiceNumberIn(text: string): bigint | null {
  const [, digits] = INVOICE.exec(text.toUpperCase()) ?? [];
  return digits === undefined ? null : BigInt(digits);
}
