/** The numbers of receipts and invoices, as people quote them. */

/** The series of invoices. */
export const INVOICES = 'INV';
/** The series of receipts, unless the configured seller has another. */
export const RECEIPTS = 'REC';
/** The series of receipts that were numbered within their organization. */
export const FORMER_RECEIPTS = 'R';

const DIGITS = 6;
const NUMBERED = /^([A-Z][A-Z0-9]{0,15})-(\d{1,15})$/;
const INVOICE = /^(?:INV-)?(\d{1,15})$/;

/** `REC-000001`. */
export function documentNumber(series: string, number: bigint): string {
  return `${series}-${String(number).padStart(DIGITS, '0')}`;
}

/** Returns the series and the number in `REC-000012` or `rec-12`; null for any other text. */
export function documentNumberIn(
  text: string,
): Readonly<{ series: string; number: bigint }> | null {
  const [, series, digits] = NUMBERED.exec(text.toUpperCase()) ?? [];
  return series === undefined || digits === undefined ? null : { series, number: BigInt(digits) };
}

/** Returns the number in `INV-000012`, `inv-12` or `12`; null for any other text. */
export function invoiceNumberIn(text: string): bigint | null {
  const [, digits] = INVOICE.exec(text.toUpperCase()) ?? [];
  return digits === undefined ? null : BigInt(digits);
}
