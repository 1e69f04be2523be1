/**
 * Ensures that one process writes the file (MONEY 25). The lock is an exclusive transaction on a
 * side file: the kernel releases it when the process dies, however it dies.
 */
import { closeSync, openSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { StoreLocked } from '../errors.ts';

/** A predecessor that was just killed may take a moment to exit. */
const WAIT_MS = 500;

/** Throws StoreLocked when another process, or another store in this one, has the file. */
export function lockFile(file: string): Disposable {
  const side = `${file}.lock`;
  createPrivately(side);
  const database = new BetterSqlite3(side, { timeout: WAIT_MS });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new StoreLocked(
        `the store ${file} is open in another process, which holds ${side}: only one process may write it`,
      );
    }
    throw error;
  }
  return { [Symbol.dispose]: () => database.close() };
}

/** Creates a file that only its owner can read: it will contain digests and password hashes. */
export function createPrivately(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
}
