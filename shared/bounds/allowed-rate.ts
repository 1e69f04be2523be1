/** A rate limit with a burst. Work beyond the limit is refused, which costs only this check. */
import type { Clock } from '../clock.ts';

export class AllowedRate {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #burst: number;
  #left: number;
  #filledAt: number;

  constructor(clock: Clock, rate: Readonly<{ perSecond: number; burst: number }>) {
    this.#clock = clock;
    this.#perSecond = rate.perSecond;
    this.#burst = rate.burst;
    this.#left = rate.burst;
    this.#filledAt = clock.monotonic();
  }

  /** Spends so many units. Returns false, and spends nothing, when fewer are left. */
  spend(units: number): boolean {
    const now = this.#clock.monotonic();
    const filled = this.#left + ((now - this.#filledAt) / 1000) * this.#perSecond;
    this.#left = Math.min(this.#burst, filled);
    this.#filledAt = now;
    if (units > this.#left) return false;
    this.#left -= units;
    return true;
  }
}
