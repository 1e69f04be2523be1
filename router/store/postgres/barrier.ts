/**
 * Makes durable what has committed asynchronously (MONEY 23): a synchronous commit on a connection of its own,
 * for the log is flushed in order, so that all that was committed before is on disk with it. It writes no
 * row, only a record to the log.
 */
import type pg from 'pg';
import { connect } from './connect.ts';
import { failureOf } from './failures.ts';

const COMMIT = `SELECT pg_logical_emit_message(true, 'penstock', '')`;
/** A disk that hangs: who waits is told that nothing is known. */
const COMMIT_MS_MAX = 5_000;

export class Barrier implements AsyncDisposable {
  readonly #url: string;
  #client: pg.Client | null = null;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  /** Rejects with StoreUnavailable when nothing is known. */
  pass(): Promise<void> {
    // One that is under way may have begun before what is asked about had committed: the next one counts.
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = null;
        this.#running = this.#commit();
        return this.#running;
      });
    return this.#next;
  }

  async #commit(): Promise<void> {
    try {
      this.#client ??= await this.#connect();
      await this.#client.query({ name: 'barrier', text: COMMIT });
    } catch (error) {
      this.#drop();
      throw failureOf(error);
    }
  }

  #connect(): Promise<pg.Client> {
    const settings = { synchronous_commit: 'on', statement_timeout: COMMIT_MS_MAX };
    return connect(this.#url, settings, () => this.#drop());
  }

  #drop(): void {
    void this.#client?.end().catch(() => {});
    this.#client = null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running.catch(() => {});
    await this.#client?.end().catch(() => {});
  }
}
