/**
 * How many requests an engine takes that has said it is full: as many as were under way on it then. What it says holds
 * for a moment only, since other routers' requests fill it, too: after each second without such a word it is given more
 * again, one at first and then twice as many.
 */
const PAUSE_MS = 1_000;

export class Fullness {
  #most = Number.POSITIVE_INFINITY;
  #since = 0;

  /** The engine took nothing more while so many were under way. */
  filled(inFlight: number, now: number): void {
    this.#most = inFlight;
    this.#since = now;
  }

  /** The engine was started anew, or looked at anew: nothing is known of it. */
  clear(): void {
    this.#most = Number.POSITIVE_INFINITY;
  }

  /** Whether it is known at all to be full, so that most workers need no look at the clock. */
  get isKnown(): boolean {
    return this.#most !== Number.POSITIVE_INFINITY;
  }

  hasRoom(inFlight: number, now: number): boolean {
    const pauses = Math.min(30, Math.floor((now - this.#since) / PAUSE_MS));
    return inFlight < this.#most + 2 ** pauses - 1;
  }
}
