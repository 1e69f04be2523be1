/**
 * Makes durable what has committed asynchronously (MONEY 23): a synchronous commit on a connection of its own,
 * for the log is flushed in order, so that all that was committed before is on disk with it. It writes no
 * row, only a record to the log.
 *
 * Its connection has to be older than what it vouches for: one that was opened since could be to a server that
 * has crashed in between and lost it. So it is never opened again; whoever needs another makes one.
 */
import type pg from 'pg';
import { laneFailureOf } from './failures.ts';

const COMMIT = `SELECT pg_logical_emit_message(true, 'penstock', '')`;

export class Barrier {
  readonly #client: pg.Client;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  /** The connection's commits are synchronous. */
  constructor(client: pg.Client) {
    this.#client = client;
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
      await this.#client.query({ name: 'barrier', text: COMMIT });
    } catch (error) {
      throw laneFailureOf(error);
    }
  }
}
