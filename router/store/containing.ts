/** Searches for a part of a text, the same on both databases. */
import { type Expression, sql, type SqlBool } from 'kysely';

/**
 * Whether a column contains a text, ignoring case. SQLite's `lower` changes ASCII letters only, and
 * that of PostgreSQL depends on the locale, so the other letters of the text are replaced one by one.
 */
export function containing(column: Expression<unknown>, text: string): Expression<SqlBool> {
  const wanted = text.toLowerCase();
  let lowered: Expression<unknown> = sql`lower(${column})`;
  for (const small of new Set(wanted)) {
    const capital = small.toUpperCase();
    if (small > '\u007f' && capital !== small && capital.toLowerCase() === small) {
      lowered = sql`replace(${lowered}, ${capital}, ${small})`;
    }
  }
  return sql<SqlBool>`${lowered} like ${likePattern(wanted)} escape '\\'`;
}

function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
