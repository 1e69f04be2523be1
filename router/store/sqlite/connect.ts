/** Connections to the file, and Kysely on one of them for the duration of one procedure. */
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { type DialectAdapter, Kysely, SqliteAdapter, SqliteDialect } from 'kysely';
import type { Db } from '../procedure.ts';
import type { Schema } from '../schema.ts';

const BUSY_MS_MAX = 2_000;
/**
 * The most pages that a connection keeps, in KiB. Every commit of the ledger changes pages of the
 * writer. A reader finds its pages in the page cache of the system, and would keep a copy of its own.
 */
const CACHE_KIB = { write: 64 * 1024, read: 8 * 1024 } as const;
/** The size that the log's file is cut back to when it starts over after a burst. */
const LOG_FILE_BYTES = 64 * 1024 * 1024;

export function connect(file: string, access: 'read' | 'write'): Database {
  const readonly = access === 'read';
  const database = new BetterSqlite3(file, {
    readonly,
    fileMustExist: true,
    timeout: BUSY_MS_MAX,
  });
  try {
    // Amounts pass 2^53: no integer is ever read as a double (MONEY 1).
    database.defaultSafeIntegers(true);
    if (!readonly) {
      database.pragma('journal_mode = WAL');
      database.pragma('synchronous = FULL');
      // Checkpoints run apart from the ledger's commits (MONEY 25).
      database.pragma('wal_autocheckpoint = 0');
      database.pragma(`journal_size_limit = ${LOG_FILE_BYTES}`);
    }
    database.pragma('foreign_keys = ON');
    database.pragma(`cache_size = -${CACHE_KIB[access]}`);
    database.pragma('temp_store = MEMORY');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite can roll back a change of its tables, but Kysely does not assume so by default. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ThreadDialect extends SqliteDialect {
  override createAdapter(): DialectAdapter {
    return new TransactionalAdapter();
  }
}

/**
 * Runs `use` with Kysely on this connection. Once `use` has ended, even by an exception, its Kysely
 * can no longer reach the connection: a stray query would land in another transaction.
 */
export async function withKysely<Result>(
  database: Database,
  use: (db: Db) => Promise<Result>,
): Promise<Result> {
  let ended = false;
  const prepare = (source: string) => {
    if (ended) throw new Error('a query ran after its procedure had ended');
    return database.prepare(source);
  };
  // Kysely's own `destroy` is never called: the connection outlives it.
  const dialect = new ThreadDialect({ database: { prepare, close: () => {} } });
  try {
    return await use(new Kysely<Schema>({ dialect }));
  } finally {
    ended = true;
  }
}
