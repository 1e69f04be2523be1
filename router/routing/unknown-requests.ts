/**
 * The requests on one worker that its agent reports and this router does not know. Of the last two
 * reports the smaller number counts, because a report may be out of date.
 */
import type { WorkerLoad } from '../../shared/wire/messages.ts';

export class UnknownRequests {
  #waiting = 0;
  #running = 0;
  #lastWaiting = 0;
  #lastRunning = 0;

  /** Requests that wait for their first token. */
  get waiting(): number {
    return this.#waiting;
  }

  /** All requests, those that wait among them. */
  get running(): number {
    return this.#running;
  }

  /** `known` has the numbers of requests on the worker that this router knows. */
  report(
    load: Pick<WorkerLoad, 'waiting' | 'running'>,
    known: Readonly<{ pending: number; inFlight: number }>,
  ): void {
    const waiting = Math.max(0, load.waiting - known.pending);
    const running = Math.max(0, load.running + load.waiting - known.inFlight);
    this.#waiting = Math.min(this.#lastWaiting, waiting);
    this.#running = Math.min(this.#lastRunning, running);
    this.#lastWaiting = waiting;
    this.#lastRunning = running;
  }

  clear(): void {
    this.#waiting = 0;
    this.#running = 0;
    this.#lastWaiting = 0;
    this.#lastRunning = 0;
  }
}
