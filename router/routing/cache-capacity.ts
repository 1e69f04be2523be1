/**
 * Estimates how many chunks an engine's prefix cache holds: from the size that the engine reports,
 * from the age of the chunks that its answers hit and missed, and from the age of what it is known
 * to have evicted.
 */
import type { InFlightRequest } from './in-flight-request.ts';
import type { Ages, PrefixIndex } from './prefix-index.ts';
import { wholeChunks } from './prompt.ts';

/**
 * Chunks that an engine is assumed to hold: at least, and when it does not report its size. An
 * estimate that is too high costs less than one that is too low.
 */
const CAPACITY_MIN = 64;
const CAPACITY_FIRST = 16_384;
const CAPACITY_WEIGHT = 0.1;
const CHUNK_TOKENS = 256;

export class CacheCapacityEstimator {
  readonly #index: PrefixIndex;
  /** The worker's number in the prefix index. */
  readonly #number: number;

  constructor(index: PrefixIndex, number: number) {
    this.#index = index;
    this.#number = number;
    this.#set(CAPACITY_FIRST);
  }

  /** Sets the capacity to the tokens that the engine reports. Answers adjust it later. */
  reported(kvTokens: number): void {
    this.#set(kvTokens / CHUNK_TOKENS);
  }

  /** Sets the capacity to the age of the oldest chunks that the engine can still have. */
  measured(chunks: number): void {
    this.#set(chunks);
  }

  /** Learns from an answer that hit this many leading chunks of its prompt. */
  answered({ prompt, ages, safeAge }: InFlightRequest, hitChunks: number): void {
    const chunks = wholeChunks(prompt);
    const capacity = this.#index.capacity(this.#number);
    // Tokens are not spread evenly over the text, and the last token of a prompt is never cached,
    // so only a clear miss counts.
    const clear = hitChunks + 2 + Math.floor(chunks / 16);
    const missed = clear <= chunks ? ageAt(ages, clear) : null;
    if (missed !== null && missed < capacity && missed >= safeAge) this.#approach(missed);
    const oldest = hitChunks > 0 ? ageAt(ages, hitChunks) : null;
    if (oldest !== null && oldest > capacity) this.#approach(oldest);
  }

  #approach(age: number): void {
    const capacity = this.#index.capacity(this.#number);
    this.#set(capacity + CAPACITY_WEIGHT * (age - capacity));
  }

  #set(chunks: number): void {
    this.#index.setCapacity(this.#number, Math.max(CAPACITY_MIN, chunks));
  }
}

/** How old the entry at this depth was. Null when the worker did not have it. */
function ageAt(ages: Ages, depth: number): number | null {
  let found: number | null = null;
  for (const { from, age } of ages) {
    if (from > depth) break;
    found = age;
  }
  return found === Number.POSITIVE_INFINITY ? null : found;
}
