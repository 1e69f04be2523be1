/**
 * The connection of a thread, opened when it is first used, and again after it was closed. It also
 * decides when a commit is on disk: when it returns, or after a sync of the log.
 */
import type { Database } from 'better-sqlite3';
import { StoreUnavailable } from '../errors.ts';
import { connect } from './connect.ts';
import { isOfSync } from './failures.ts';
import { LogSync } from './log-sync.ts';

export class ThreadConnection {
  readonly #file: string;
  readonly #access: 'read' | 'write';
  #database: Database | null = null;
  /** Of a connection that writes. */
  #log: LogSync | null = null;
  /** What a commit syncs. Null: the connection is new and has not been told. */
  #synchronous: 'NORMAL' | 'FULL' | null = null;
  /** A sync has failed, and the log was not started over since. */
  #isLogDoubtful = false;

  constructor(file: string, access: 'read' | 'write') {
    this.#file = file;
    this.#access = access;
  }

  /** Throws StoreUnavailable after a sync has failed, while another connection uses the log. */
  get database(): Database {
    this.#database ??= connect(this.#file, this.#access);
    if (this.#access === 'write') this.#log ??= openLog(this.#file, this.#database);
    if (this.#isLogDoubtful) this.#startLogOver(this.#database);
    return this.#database;
  }

  get isInTransaction(): boolean {
    return this.#database?.inTransaction === true;
  }

  /** Whether commits from now on are on disk when they return. Not to be called in a transaction. */
  syncAtCommit(isSynced: boolean): void {
    const synchronous = isSynced ? 'FULL' : 'NORMAL';
    if (this.#synchronous === synchronous) return;
    this.database.pragma(`synchronous = ${synchronous}`);
    this.#synchronous = synchronous;
  }

  /** Returns once all that this connection has committed is on disk. Throws LogNotSynced. */
  syncLog(): void {
    if (!this.#log) throw new Error('only a connection that writes, and is open, syncs the log');
    this.#log.sync();
  }

  /** Takes note of an error of a statement or a sync. */
  note(error: unknown): void {
    if (this.#access === 'write' && isOfSync(error)) this.#isLogDoubtful = true;
  }

  close(): void {
    const [database, log] = [this.#database, this.#log];
    this.#database = null;
    this.#log = null;
    this.#synchronous = null;
    database?.close();
    log?.close();
  }

  /** Moves the whole log into the database, so that nothing depends on what was not synced in it. */
  #startLogOver(database: Database): void {
    const [row] = database.pragma('wal_checkpoint(TRUNCATE)') as { busy: bigint }[];
    if (row?.busy !== 0n) {
      throw new StoreUnavailable('a sync to disk has failed, and the log is still in use');
    }
    this.#isLogDoubtful = false;
  }
}

function openLog(file: string, database: Database): LogSync {
  // SQLite creates the log when it first reads.
  database.pragma('schema_version');
  return new LogSync(file);
}
