/** Writes CSV according to RFC 4180, safe to open in a spreadsheet. */

/**
 * Finds the places where a spreadsheet could take what follows for a formula, including full-width
 * signs and formulas after white space or quotes. They are also inside a field: where lists are
 * separated by semicolons, as in German, Excel cuts each line at them and at line breaks, and sees
 * no quotes that do not begin a cell. So quotes do not help, and a line `sep=,` would be a record to
 * every other program.
 */
const FORMULA =
  /(?<=^|[;\t\r\n])(?=(?:[^\S\t\r\n]|[\0"])*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r\n])/g;
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;
const QUOTED = /[",\r\n]/;

/** Returns one record with its line break. */
export function csvRecord(fields: readonly string[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

function csvField(text: string): string {
  const safe = PLAIN_NUMBER.test(text) ? text : text.replaceAll(FORMULA, "'");
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
