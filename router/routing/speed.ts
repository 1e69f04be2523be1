/**
 * The speed of a worker: the seconds that it takes for one second of forecast prefill. Workers of a
 * model learn from each other, because most are alike: a deviation from their mean counts only
 * beyond `DEVIATION_MIN`.
 *
 * `ModelForecast` learns the seconds of a prefill from the same workers, scaled to their mean
 * (`relative`). If it scaled by the whole speed, the speeds and the seconds could drift in opposite
 * directions while their product stayed right. In the end every speed would be at its bound, and a
 * slow worker would look like the others.
 */

/** The exponent with which a worker learns from its own measurement. */
const WEIGHT = 0.05;
/**
 * The exponents with which the other workers learn from it, in total and at most each: in a small
 * fleet, one slow worker must not make the others look slow.
 */
const POOLED = 0.2;
const POOLED_EACH_MAX = 0.0125;
/** With each measurement, a worker's speed moves this share of the way back to the mean. */
const TO_MEAN = 0.02;
/**
 * The mean speed of the fleet belongs in the seconds of a prefill. Each prefill observed moves this
 * share of it there.
 */
const DECAY = 0.01;
/** A deviation from the mean, as a logarithm, counts only beyond this. */
const DEVIATION_MIN = 0.15;
const SPEED_MIN = 0.1;
const SPEED_MAX = 8;

export class Speed {
  #learned = 1;
  #mean = 1;

  /** The speed that forecasts use. */
  get value(): number {
    const apart = Math.log(this.#learned / this.#mean);
    return this.#mean * Math.exp(Math.sign(apart) * Math.max(0, Math.abs(apart) - DEVIATION_MIN));
  }

  /** The speed relative to the mean of the fleet. */
  get relative(): number {
    return this.value / this.#mean;
  }

  /**
   * Learns from a measurement: the prefills took `ratio` times the forecast. `pool` holds the
   * speeds of all workers of the model, or is empty if the others must not learn from it.
   */
  update(ratio: number, pool: readonly Speed[]): void {
    const bounded = Math.min(2, Math.max(0.5, ratio));
    this.#set(this.#learned * bounded ** WEIGHT);
    if (pool.length === 1) this.#mean = this.#learned;
    if (pool.length < 2) return;
    const before = meanOf(pool);
    const shared = bounded ** Math.min(POOLED_EACH_MAX, POOLED / pool.length);
    for (const other of pool) if (other !== this) other.#set(other.#learned * shared);
    this.#set(this.#learned * (before / this.#learned) ** TO_MEAN);
    const mean = meanOf(pool);
    for (const speed of pool) speed.#mean = mean;
  }

  /** A prefill was observed: moves a part of the mean to the model's seconds of prefill. */
  decay(): void {
    const share = this.#mean ** -DECAY;
    this.#mean *= share;
    this.#set(this.#learned * share);
  }

  get learned(): number {
    return this.#learned;
  }

  #set(learned: number): void {
    this.#learned = Math.min(SPEED_MAX, Math.max(SPEED_MIN, learned));
  }
}

function meanOf(pool: readonly Speed[]): number {
  return Math.exp(pool.reduce((sum, { learned }) => sum + Math.log(learned), 0) / pool.length);
}
