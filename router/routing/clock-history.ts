/**
 * When a worker's clock in the prefix index had which value. It knows a bounded number of moments,
 * evenly spread from the oldest that is still of interest to now.
 */

/** About 50 KB for a worker whose agent receives KV events. */
const MOMENTS_MAX = 1_024;

export class ClockHistory {
  #moments: Readonly<{ seconds: number; clock: number }>[] = [];

  get length(): number {
    return this.#moments.length;
  }

  /** Adds a moment that is not earlier than the last, unless it is too close to that. */
  add(seconds: number, clock: number): void {
    const [oldest] = this.#moments;
    const last = this.#moments.at(-1);
    if (oldest && last) {
      const apart = (seconds - oldest.seconds) / MOMENTS_MAX;
      if (seconds - last.seconds < apart) return;
    }
    this.#moments.push({ seconds, clock });
    if (this.#moments.length > MOMENTS_MAX) {
      this.#moments = this.#moments.filter((_, nth) => nth % 2 === 0);
    }
  }

  /**
   * Returns the clock at the last moment that is not later than this, and forgets the moments
   * before it. Null when all are later.
   */
  at(seconds: number): number | null {
    let later = 0;
    while ((this.#moments[later]?.seconds ?? Number.POSITIVE_INFINITY) <= seconds) later += 1;
    if (later === 0) return null;
    this.#moments.splice(0, later - 1);
    return this.#moments[0]?.clock ?? null;
  }
}
