/**
 * Makes asynchronous commits durable (MONEY 23), by a synchronous commit on a connection of its
 * own. The log is flushed in order, so everything committed before is then on disk too. The barrier
 * writes no row, only a record to the log.
 *
 * Its connection must be older than the commits that it covers: a newer one may lead to a server
 * that crashed in between and lost them. So the connection is never reopened; a new one needs a new
 * barrier.
 */
import type pg from 'pg';
import { batchFailureOf } from './failures.ts';

const COMMIT = `SELECT pg_logical_emit_message(true, 'penstock', '')`;

export class Barrier {
  readonly #client: pg.Client;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  /** The connection's commits are synchronous. */
  constructor(client: pg.Client) {
    this.#client = client;
  }

  /**
   * Resolves when all commits made so far are on disk. Rejects with StoreUnavailable if that is
   * unknown.
   */
  pass(): Promise<void> {
    // A running barrier may have begun before the caller's commit: the next one counts.
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
      throw batchFailureOf(error);
    }
  }
}
