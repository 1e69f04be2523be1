/**
 * Gathers what is written to a connection in one turn of the event loop into one write: each write
 * is a system call, which costs more than most messages.
 */
import type { Duplex } from 'node:stream';

export class TurnWrites {
  readonly #connection: Pick<Duplex, 'cork' | 'uncork'>;
  #isGathering = false;

  constructor(connection: Pick<Duplex, 'cork' | 'uncork'>) {
    this.#connection = connection;
  }

  /** Must be called before a write. */
  gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#connection.cork();
    setImmediate(this.flush);
  }

  /** Writes what was gathered now, and not at the end of the turn. */
  readonly flush = (): void => {
    if (!this.#isGathering) return;
    this.#isGathering = false;
    this.#connection.uncork();
  };
}
