/** Amounts as people enter them: typed, or pasted from a page or a table. */

/** A sign, a dollar sign, and digits in groups of three or without groups. */
const WRITTEN_USD = /^([-−+]?)\$?\s*([1-9]\d{0,2}(?:,\d{3})+|\d+)(\.\d+)?$/;

/**
 * An amount as the API takes it: `"$1,000.50"` → `"1000.50"`. Any other text stays as it is, and the
 * API refuses it: nobody knows whether `"2,50"` or `"0,200"` has a decimal comma.
 */
export function enteredUsd(text: string): string {
  const trimmed = text.trim();
  const found = WRITTEN_USD.exec(trimmed);
  if (!found) return trimmed;
  const [, sign = '', whole = '', fraction = ''] = found;
  return `${sign === '' || sign === '+' ? '' : '-'}${whole.replaceAll(',', '')}${fraction}`;
}

/** The same for a field that may stay empty, such as that of a cap. */
export function enteredUsdOrNull(text: string): string | null {
  return text.trim() === '' ? null : enteredUsd(text);
}
