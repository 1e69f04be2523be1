/**
 * How fast a worker is: seconds that it takes for a second of forecast prefill. Workers of one model learn from each
 * other, since most are alike: what one is apart from their mean is taken for chance until it is a good deal.
 *
 * What a prefill takes is learned too, from the same workers, as their mean takes it (`relative`). Were it learned
 * by each one's whole speed, the two could drift apart without end, one up and the other down, and their product
 * still be right, until every speed stood at its bound and a slow worker looked like the others.
 */

const WEIGHT = 0.05;
/** What the others learn of it, in all and each: where they are few, a slow one must not make them slow. */
const POOLED = 0.2;
const POOLED_EACH_MAX = 0.0125;
const TO_MEAN = 0.02;
/** What the fleet has in common is known of its prefills, too: so much of it is left to them with each one seen. */
const FADING = 0.01;
/** How far apart from the mean, in logarithms, a worker is before it counts. */
const DOUBT = 0.15;
const MIN = 0.1;
const MAX = 8;

export class Speed {
  #learned = 1;
  #mean = 1;

  /** What forecasts go by. */
  get value(): number {
    const apart = Math.log(this.#learned / this.#mean);
    return this.#mean * Math.exp(Math.sign(apart) * Math.max(0, Math.abs(apart) - DOUBT));
  }

  /** Beside the mean of its fleet. */
  get relative(): number {
    return this.value / this.#mean;
  }

  /** It took `ratio` of what was forecast. `pool`: the speeds of all workers of the model, or none. */
  judge(ratio: number, pool: readonly Speed[]): void {
    const bounded = Math.min(2, Math.max(0.5, ratio));
    this.#set(this.#learned * bounded ** WEIGHT);
    if (pool.length === 1) this.#mean = this.#learned;
    if (pool.length < 2) return;
    const before = meanOf(pool);
    const others = bounded ** Math.min(POOLED_EACH_MAX, POOLED / pool.length);
    for (const other of pool) if (other !== this) other.#set(other.#learned * others);
    this.#set(this.#learned * (before / this.#learned) ** TO_MEAN);
    const mean = meanOf(pool);
    for (const one of pool) one.#mean = mean;
  }

  /** A prefill told what the fleet's mean takes. */
  fade(): void {
    const share = this.#mean ** -FADING;
    this.#mean *= share;
    this.#set(this.#learned * share);
  }

  get learned(): number {
    return this.#learned;
  }

  #set(learned: number): void {
    this.#learned = Math.min(MAX, Math.max(MIN, learned));
  }
}

function meanOf(pool: readonly Speed[]): number {
  return Math.exp(pool.reduce((sum, { learned }) => sum + Math.log(learned), 0) / pool.length);
}
