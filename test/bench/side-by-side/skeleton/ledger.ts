/**
 * The skeleton's ledger: a hold and a settlement for each request, in batches that a thread commits
 * to SQLite. It checks nothing.
 */
import { Worker } from 'node:worker_threads';

export type Booking = Readonly<{ kind: 'hold' | 'settle'; request: number }>;

export interface BookingLedger {
  /** Resolves when the booking is committed, and durable if it is a settlement. */
  book(booking: Booking): Promise<void>;
}

type Waiting = Readonly<{ booking: Booking; resolve: () => void }>;

export class SkeletonLedger implements BookingLedger {
  readonly #thread: Worker;
  #waiting: Waiting[] = [];
  #committing: Waiting[] = [];

  constructor(file: string) {
    this.#thread = new Worker(new URL('./writer.ts', import.meta.url), { workerData: file });
    this.#thread.on('message', () => {
      const done = this.#committing;
      this.#committing = [];
      if (this.#waiting.length > 0) setImmediate(this.#commit);
      for (const { resolve } of done) resolve();
    });
  }

  book(booking: Booking): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ booking, resolve });
      const isFirst = this.#waiting.length === 1 && this.#committing.length === 0;
      if (isFirst) setImmediate(this.#commit);
    });
  }

  readonly #commit = (): void => {
    this.#committing = this.#waiting;
    this.#waiting = [];
    const bookings = this.#committing.map(({ booking }) => booking);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#thread.postMessage(bookings);
  };
}
