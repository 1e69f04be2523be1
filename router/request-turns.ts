/**
 * Limits how many requests begin in one turn of the event loop, so that a flood of requests does
 * not delay the streams and the requests that are under way. Node calls back for all requests that
 * have arrived, on a thousand connections and up to sixteen ahead of their answers on each, before
 * it goes on to anything else. A request under way needs several turns: for the ledger, the worker
 * and each piece of its answer.
 *
 * Requests beyond the limit of a turn wait for later turns. Connections take turns among them, so
 * that one that sends many requests delays another by one of them.
 */
import type { Duplex } from 'node:stream';
import { FairQueue } from '../shared/bounds/fair-queue.ts';
import { limits } from '../shared/limits.ts';

type Waiting = Readonly<{ connection: Duplex; begin: () => void }>;

export class RequestTurns {
  readonly #queue = new FairQueue<Duplex, Waiting>();
  #waiting = 0;
  /** Requests that began in this turn. */
  #begun = 0;
  #isScheduled = false;

  /** The number of requests that wait for their turn. */
  get waiting(): number {
    return this.#waiting;
  }

  /** How many requests a connection may have sent whose answers have not ended. */
  get pipelinedMax(): number {
    return this.#waiting < limits.requestsWaitingMax ? limits.pipelinedMax : 1;
  }

  /**
   * Calls `begin` in this turn or a later one. A request whose connection closes while it waits never
   * begins.
   */
  take(connection: Duplex, begin: () => void): void {
    this.#scheduleNext();
    if (this.#begun < limits.requestsPerTurnMax) {
      this.#begun += 1;
      return begin();
    }
    this.#waiting += 1;
    this.#queue.add(connection, { connection, begin });
  }

  #scheduleNext(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#startTurn());
  }

  #startTurn(): void {
    this.#isScheduled = false;
    this.#begun = 0;
    if (this.#waiting === 0) return;
    this.#scheduleNext();
    // Those that waited come first: what arrives after them gets what is left of this turn.
    while (this.#begun < limits.requestsPerTurnMax) {
      const waiting = this.#queue.next();
      if (!waiting) return;
      this.#waiting -= 1;
      if (waiting.connection.destroyed) continue;
      this.#begun += 1;
      waiting.begin();
    }
  }
}
