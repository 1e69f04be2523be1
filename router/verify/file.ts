/** On SQLite: checks that the file is sound. A copy made during a write may mix two states. */
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
