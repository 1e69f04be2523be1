/** On SQLite: whether the file itself is sound. One that was copied while it was written may be of two halves. */
import { SqliteAdapter, sql } from 'kysely';
import type { Check } from './check.ts';

const soundness: Check = async (db, limit) => {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return [];
  const { rows } = await sql<{
    integrity_check: string;
  }>`pragma integrity_check(${sql.lit(limit)})`.execute(db);
  return rows.flatMap(({ integrity_check: words }) => (words === 'ok' ? [] : [`file: ${words}`]));
};

export const checkFile: readonly Check[] = [soundness];
