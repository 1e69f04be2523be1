/**
 * Characters that no text of the API has, for the inside of a class of a regular expression with the
 * flag `u`: control characters, because not every store accepts a NUL and lists need single lines, the
 * separators of lines and paragraphs, and those that change the direction of what follows them, which
 * could falsify a line of the audit log.
 */
export const NOT_PRINTED = String.raw`\p{Cc}\u2028-\u202e\u2066-\u2069`;

const EACH = new RegExp(`[${NOT_PRINTED}]`, 'gu');

/** Returns the text with `instead` in place of each such character. */
export function printed(text: string, instead: string): string {
  return text.replaceAll(EACH, instead);
}
