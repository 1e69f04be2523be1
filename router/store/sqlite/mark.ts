/**
 * The mark: the number of transfers that the file had, in a small file beside it. Transfers are
 * never deleted, so a file with fewer is an older copy of what the router wrote last. Nothing
 * within a file can show that, since an older state of it is just as consistent (decision 0021).
 * The mark is written after the transfers are durable, so that a crash never leaves it ahead.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { StoreIncomplete } from '../errors.ts';

const markOf = (file: string): string => `${file}.mark`;
/** What the mark says while a restore replaces the file, so that no router starts on it. */
const RESTORING = 'restoring';

/**
 * Returns null if there is no mark. Throws StoreIncomplete if it cannot be read as a number, or if a
 * restore was interrupted.
 */
export function readMark(file: string): bigint | null {
  const mark = markOf(file);
  if (!existsSync(mark)) return null;
  const text = readFileSync(mark, 'utf8').trim();
  if (text === RESTORING) {
    throw new StoreIncomplete(
      `a restore of ${file} was interrupted: run it again with --replace. ` +
        `The store as it was before, if there was one, is in ${file}.replaced-…`,
    );
  }
  if (!/^\d{1,19}$/.test(text))
    throw new StoreIncomplete(`${mark} does not contain a number of transfers`);
  return BigInt(text);
}

export function writeMark(file: string, transfers: bigint): void {
  replaceMark(file, `${transfers}`);
}

/** Records that the file is about to be replaced. `writeMark` ends that. */
export function markRestoring(file: string): void {
  replaceMark(file, RESTORING);
}

/** Replaces the mark in one step, even if the process or the machine crashes meanwhile. */
function replaceMark(file: string, text: string): void {
  const mark = markOf(file);
  const draft = openSync(`${mark}.new`, 'w', 0o600);
  try {
    writeSync(draft, `${text}\n`);
    fsyncSync(draft);
  } finally {
    closeSync(draft);
  }
  renameSync(`${mark}.new`, mark);
  syncFolderOf(mark);
}

/** Makes new names in the folder of a file durable. */
export function syncFolderOf(file: string): void {
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Transfers are numbered in order and never deleted, so the last number is how many there are. */
export function countTransfers(database: Database): bigint {
  const row = database
    .prepare<[], { n: bigint | null }>('SELECT max(rowid) AS n FROM transfers')
    .get();
  return row?.n ?? 0n;
}

/** Throws StoreIncomplete if the file is older than its mark: to go on with it would lose data. */
export function refuseOlder(file: string): void {
  const mark = readMark(file);
  if (mark === null) return;
  const database = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
  try {
    database.defaultSafeIntegers(true);
    const known = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'transfers'`).get();
    const transfers = known === undefined ? 0n : countTransfers(database);
    if (transfers >= mark) return;
    throw new StoreIncomplete(
      `${file} has ${transfers} transfers, but had ${mark} when a router last wrote it: this is an older copy. ` +
        `Put the newest one back; or remove ${markOf(file)} to go on without what is missing`,
    );
  } finally {
    database.close();
  }
}

/**
 * Records in the file itself, not only in its log, that a router has it open or has closed it. A
 * file that says `open` is not complete without its log.
 */
export function recordState(database: Database, state: 'open' | 'closed'): void {
  database.pragma(`user_version = ${state === 'open' ? OPEN : 0}`);
  // Opening does not wait for readers.
  database.pragma(`wal_checkpoint(${state === 'open' ? 'PASSIVE' : 'TRUNCATE'})`);
}

const OPEN = 1;
/** The offset of `user_version` in SQLite's file format. */
const USER_VERSION_AT = 60;

function isOpen(file: string): boolean {
  const header = Buffer.alloc(USER_VERSION_AT + 4);
  const opened = openSync(file, 'r');
  try {
    readSync(opened, header, 0, header.length, 0);
  } finally {
    closeSync(opened);
  }
  return header.readUInt32BE(USER_VERSION_AT) === OPEN;
}

/**
 * What is beside a file. It must be read before anything opens the file, since that creates a log,
 * even if it is empty. `isCutOff`: a router had the file open, and its log is missing.
 */
export type Beside = Readonly<{ mark: bigint | null; isCutOff: boolean }>;

export function lookBeside(file: string): Beside {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  return { mark: readMark(file), isCutOff: isOpen(file) && !log?.size };
}

/** What a file with `transfers` transfers lacks, as a sentence, or null. */
export function findLoss({ mark, isCutOff }: Beside, transfers: bigint): string | null {
  if (mark !== null) {
    if (transfers >= mark) return null;
    return `it has ${transfers} transfers, but had ${mark} when a router last wrote it: ${mark - transfers} are missing`;
  }
  if (!isCutOff) return null;
  return (
    'a router had it open when it was copied, and neither its log (-wal) nor its mark (.mark) is beside it: ' +
    'the latest charges may be missing'
  );
}
