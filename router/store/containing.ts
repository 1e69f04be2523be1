/** Searches for a part of a text, the same on both databases. */
import { type Expression, sql, type SqlBool } from 'kysely';

/** `toUpperCase` makes none of these, but `smallLetter` makes another letter of each. */
const MORE_CAPITALS = 'İẞς';

/**
 * Whether a column contains a text, ignoring case. SQLite's `lower` changes ASCII letters only, and
 * that of PostgreSQL depends on the locale, so the other letters of the text are first replaced one
 * by one.
 */
export function containing(column: Expression<unknown>, text: string): Expression<SqlBool> {
  const wanted = Array.from(text, smallLetter).join('');
  const capitals = new Set(text + wanted.toUpperCase() + MORE_CAPITALS);
  let replaced = column;
  for (const capital of capitals) {
    const small = smallLetter(capital);
    if (capital > '\u007f' && small !== capital && wanted.includes(small)) {
      replaced = sql`replace(${replaced}, ${capital}, ${small})`;
    }
  }
  return sql<SqlBool>`lower(${replaced}) like ${likePattern(wanted)} escape '\\'`;
}

/**
 * Returns one character, wherever the letter stands: `toLowerCase` makes a letter and a dot of "İ",
 * and a "ς" of the last "Σ" of a word.
 */
function smallLetter(letter: string): string {
  const [small = letter] = letter.toLowerCase();
  return small === 'ς' ? 'σ' : small;
}

function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
