/**
 * The pauses between polls of an engine. A pause may be cut short, but polls that were asked for by
 * `hurry` are at least a fixed gap apart.
 */
import type { Clock, Timer } from '../../shared/clock.ts';

export class PollPause implements Disposable {
  readonly #clock: Clock;
  readonly #gapMs: number;
  #polledAt = Number.NEGATIVE_INFINITY;
  #wake: (() => void) | null = null;
  #hurrying: Timer | null = null;
  #over = false;

  constructor(clock: Clock, gapMs: number) {
    this.#clock = clock;
    this.#gapMs = gapMs;
  }

  /** Ends the current pause, and all pauses from now on. */
  [Symbol.dispose](): void {
    this.#over = true;
    this.#hurrying?.cancel();
    this.#wake?.();
  }

  /** Records that a poll begins at `now` (monotonic ms). */
  polled(now: number): void {
    this.#polledAt = now;
  }

  /** Waits for `ms`, or less if a poll is wanted sooner. */
  rest(ms: number): Promise<void> {
    if (this.#over) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        timer.cancel();
        this.#wake = null;
        resolve();
      };
      const timer = this.#clock.after(ms, wake);
      this.#wake = wake;
    });
  }

  /** Ends the current pause at once. */
  wake(): void {
    this.#wake?.();
  }

  /** Ends the current pause as soon as the gap between polls allows. */
  hurry(): void {
    if (!this.#wake || this.#hurrying) return;
    const due = this.#polledAt + this.#gapMs - this.#clock.monotonic();
    if (due <= 0) return this.#wake();
    this.#hurrying = this.#clock.after(due, () => {
      this.#hurrying = null;
      this.#wake?.();
    });
  }
}
