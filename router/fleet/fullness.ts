/**
 * How many requests an engine takes after it has reported that it is full: the number that were in
 * flight on it at that moment. Requests of other routers fill the engine, too, so the limit is
 * temporary: each second without another such report raises it, by 1 after the first second, 3
 * after the second, 7 after the third, and so on.
 */
const STEP_MS = 1_000;

export class Fullness {
  #limit = Number.POSITIVE_INFINITY;
  #since = 0;

  /** Records that the engine refused a request while `inFlight` were in flight. `now` is in ms. */
  filled(inFlight: number, now: number): void {
    this.#limit = inFlight;
    this.#since = now;
  }

  /** Removes the limit, because the engine has restarted. */
  clear(): void {
    this.#limit = Number.POSITIVE_INFINITY;
  }

  /** Whether there is a limit. Without one, callers need not read the clock. */
  get hasLimit(): boolean {
    return this.#limit !== Number.POSITIVE_INFINITY;
  }

  hasRoom(inFlight: number, now: number): boolean {
    const steps = Math.min(30, Math.floor((now - this.#since) / STEP_MS));
    return inFlight < this.#limit + 2 ** steps - 1;
  }
}
