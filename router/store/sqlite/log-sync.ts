/**
 * Syncs the write-ahead log of a database to disk apart from SQLite's commits (decision 0054). SQLite
 * has no call for this.
 */
import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { LogNotSynced } from '../errors.ts';

export class LogSync {
  readonly #descriptor: number;

  /**
   * `file`: the database. The caller has it open before and keeps it open, so that its log is there
   * and stays the same. What is written from then on is covered: Linux tells each descriptor of a
   * failed write once, but not one that is opened later.
   */
  constructor(file: string) {
    this.#descriptor = openSync(`${file}-wal`, 'r+');
  }

  /** Returns once all that has been committed is on disk. Throws LogNotSynced. */
  sync(): void {
    try {
      fdatasyncSync(this.#descriptor);
    } catch (error) {
      throw new LogNotSynced(`the log of the store could not be synced to disk: ${String(error)}`);
    }
  }

  /** SQLite's locks are on other files: closing this one releases none of them. */
  close(): void {
    closeSync(this.#descriptor);
  }
}
