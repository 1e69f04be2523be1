/**
 * Puts a copy in the place of a store's file. The caller has locked the file. If this is interrupted
 * at any point, no router starts on the file until a restore has completed.
 */
import { existsSync, linkSync, renameSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { countTransfers, markRestoring, readMark, syncFolderOf, writeMark } from './mark.ts';
import { removeLogs } from './snapshot.ts';

/** The files of a store that belong together. SQLite makes `-shm` again from `-wal`. */
const PARTS = ['', '-wal', '-journal', '.mark'];

/** Whether there is anything of a store at this path, even if it is only its mark. */
export function isAnythingAt(file: string): boolean {
  return PARTS.some((suffix) => existsSync(`${file}${suffix}`));
}

/**
 * Returns the number of the last transfer that the store at this path is known to have had, by its
 * file or by its mark. Null: neither can be read.
 */
export function lastKnownTransfer(file: string): bigint | null {
  const known = [valueOf(() => readMark(file)), valueOf(() => transfersIn(file))];
  return known.reduce((most, one) => (most === null || (one !== null && one > most) ? one : most));
}

function transfersIn(file: string): bigint {
  const database = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
  try {
    database.defaultSafeIntegers(true);
    return countTransfers(database);
  } finally {
    database.close();
  }
}

/** A store that is to be replaced may be damaged in any way. */
function valueOf(read: () => bigint | null): bigint | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/**
 * Moves `copy`, a store with `transfers` transfers in the same folder, to `file`. What is there is
 * kept under the name `aside`, together with its log and its mark.
 */
export function putInPlace(
  copy: string,
  { file, aside, transfers }: Readonly<{ file: string; aside: string; transfers: bigint }>,
): void {
  for (const suffix of PARTS) {
    if (existsSync(`${file}${suffix}`)) linkSync(`${file}${suffix}`, `${aside}${suffix}`);
  }
  markRestoring(file);
  // SQLite would apply the log of the replaced file to the new one.
  removeLogs(file);
  renameSync(copy, file);
  syncFolderOf(file);
  writeMark(file, transfers);
}
