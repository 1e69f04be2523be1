/**
 * How fast a worker is: seconds that it takes for a second of forecast prefill. Workers of one model learn from each
 * other, since most are alike: what one is apart from their mean is taken for chance until it is a good deal.
 */

const WEIGHT = 0.05;
/** What the others learn of it, in all and each: where they are few, a slow one must not make them slow. */
const POOLED = 0.2;
const POOLED_EACH_MAX = 0.0125;
const TO_MEAN = 0.02;
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

  /** It took `ratio` of what was forecast. `pool`: the speeds of all workers of the model, or none. */
  judge(ratio: number, pool: readonly Speed[]): void {
    const bounded = Math.min(2, Math.max(0.5, ratio));
    this.#set(this.#learned * bounded ** WEIGHT);
    if (pool.length < 2) return;
    const before = meanOf(pool);
    const others = bounded ** Math.min(POOLED_EACH_MAX, POOLED / pool.length);
    for (const other of pool) if (other !== this) other.#set(other.#learned * others);
    this.#set(this.#learned * (before / this.#learned) ** TO_MEAN);
    const mean = meanOf(pool);
    for (const one of pool) one.#mean = mean;
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
