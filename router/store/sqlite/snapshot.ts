/**
 * Copies the file of a store as it is at one point in time, even while a router writes it. The copy
 * is complete in one file, without a log.
 */
import { rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { StoreIncomplete, StoreMismatched } from '../errors.ts';
import { connect } from './connect.ts';
import { countTransfers, findLoss, lookBeside, recordState } from './mark.ts';

/** 4 MiB. Between two such steps, the process can receive a signal. */
const PAGES_AT_ONCE = 1_024;

/**
 * `transfers`: the number of the last transfer, which is also how many there are. `lastTransfer`:
 * when it was made, in ms since the epoch, or null if there is none. `bytes`: the size of the copy.
 */
export type Snapshot = Readonly<{
  transfers: bigint;
  lastTransfer: number | null;
  bytes: number;
}>;

/**
 * Copies the store `from` into the empty file `to`. When this resolves, the copy is on the disk.
 * Rejects with StoreMismatched when `from` is not a store, with StoreIncomplete when it lacks
 * something that a router wrote, and with the reason of `signal` when that aborts. The copy is then
 * useless.
 */
export async function copyStore(from: string, to: string, signal: AbortSignal): Promise<Snapshot> {
  const beside = lookBeside(from);
  try {
    await copyPages(from, to, signal);
    const snapshot = finish(to);
    const loss = findLoss(beside, snapshot.transfers);
    if (loss !== null) throw new StoreIncomplete(`${from} is not complete: ${loss}`);
    return snapshot;
  } catch (error) {
    const code = error instanceof BetterSqlite3.SqliteError ? error.code : '';
    if (code === 'SQLITE_NOTADB') throw notAStore(from);
    if (code === 'SQLITE_FULL')
      throw new Error(`there is no room for a copy of ${from} in ${dirname(to)}`, { cause: error });
    throw error;
  }
}

async function copyPages(from: string, to: string, signal: AbortSignal): Promise<void> {
  const source = connect(from, 'read');
  try {
    // SQLite starts a copy over whenever another process writes, so that beside a busy router it
    // would never end. Within a read transaction it does not: what is written meanwhile stays in the
    // log.
    source.exec('BEGIN');
    if (!hasTransfers(source)) throw notAStore(from);
    await source.backup(to, {
      progress: () => {
        signal.throwIfAborted();
        return PAGES_AT_ONCE;
      },
    });
  } finally {
    source.close();
  }
}

function hasTransfers(database: Database): boolean {
  const table = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'transfers'`);
  return table.get() !== undefined;
}

function notAStore(file: string): StoreMismatched {
  return new StoreMismatched(`${file} is not a store of Penstock`);
}

/** Makes the copy complete by itself, and checks its pages. */
function finish(copy: string): Snapshot {
  const database = new BetterSqlite3(copy, { fileMustExist: true });
  try {
    database.defaultSafeIntegers(true);
    database.pragma('journal_mode = DELETE');
    recordState(database, 'closed');
    const [first] = database.pragma('quick_check(1)') as { quick_check: string }[];
    if (first?.quick_check !== 'ok') throw new Error(`the file is damaged: ${first?.quick_check}`);
    const transfers = countTransfers(database);
    const last = database
      .prepare<[bigint], { created: bigint }>('SELECT created FROM transfers WHERE rowid = ?')
      .get(transfers);
    return {
      transfers,
      lastTransfer: last === undefined ? null : Number(last.created),
      bytes: statSync(copy).size,
    };
  } finally {
    database.close();
  }
}

/** The names that SQLite may add to that of a file: its logs, and the index of one. */
const LOGS = ['-wal', '-shm', '-journal'];

/** Removes what SQLite has written beside a file. A new file under its name must not find it. */
export function removeLogs(file: string): void {
  for (const suffix of LOGS) rmSync(`${file}${suffix}`, { force: true });
}
