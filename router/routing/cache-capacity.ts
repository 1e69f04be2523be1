/**
 * Estimates an engine's cache from the cached tokens that its answers report: how much the cache
 * holds, from the age of hits and misses, and whether the engine has restarted without notice.
 */
import type { Dispatch, InFlightRequest } from './in-flight-request.ts';
import type { Ages, PrefixIndex } from './prefix-index.ts';
import { CHUNK_CHARS, wholeChunks } from './prompt.ts';

/**
 * Chunks that an engine is assumed to hold: at least, and when it does not report its size. An
 * estimate that is too high costs less than one that is too low.
 */
const CAPACITY_MIN = 64;
const CAPACITY_FIRST = 16_384;
const CAPACITY_WEIGHT = 0.1;
const CHUNK_TOKENS = 256;
/** A prediction of fewer chunks is no evidence of a restart. */
const SURE_CHUNKS = 8;
const BAD_ANSWERS = 3;

export class CacheCapacityEstimator {
  readonly #index: PrefixIndex;
  readonly #slot: number;
  #bad = 0;
  #badAt = 0;

  constructor(index: PrefixIndex, slot: number) {
    this.#index = index;
    this.#slot = slot;
    this.#setCapacity(CAPACITY_FIRST);
  }

  /** Sets the capacity to the tokens that the engine reports. Answers adjust it later. */
  told(kvTokens: number): void {
    this.#setCapacity(kvTokens / CHUNK_TOKENS);
  }

  /** Forgets earlier answers, because the engine has restarted. */
  restarted(): void {
    this.#bad = 0;
  }

  learn(flight: InFlightRequest<unknown>, promptTokens: number, cachedTokens: number): void {
    const chunks = wholeChunks(flight.prompt);
    if (chunks === 0) return;
    const { ages, safeAge } = flight;
    const hit = hitChunks(flight, promptTokens, cachedTokens);
    const capacity = this.#index.capacity(this.#slot);
    // Tokens are not spread evenly over the text, and the last token of a prompt is never cached,
    // so only a clear miss counts.
    const clear = hit + 2 + Math.floor(chunks / 16);
    const missed = clear <= chunks ? ageAt(ages, clear) : null;
    if (missed !== null && missed < capacity && missed >= safeAge) this.#approach(missed);
    const oldest = hit > 0 ? ageAt(ages, hit) : null;
    if (oldest !== null && oldest > capacity) this.#approach(oldest);
    this.#noteRestart(flight, hit);
  }

  #approach(age: number): void {
    const capacity = this.#index.capacity(this.#slot);
    this.#setCapacity(capacity + CAPACITY_WEIGHT * (age - capacity));
  }

  #setCapacity(chunks: number): void {
    this.#index.setCapacity(this.#slot, Math.max(CAPACITY_MIN, chunks));
  }

  /** Detects a restart: several answers in a row hit almost nothing where much was expected. */
  #noteRestart({ depth, clock }: InFlightRequest<unknown>, hit: number): void {
    const predicted = depth - 1;
    if (predicted < SURE_CHUNKS) return;
    if (hit >= predicted / 2) {
      this.#bad = 0;
    } else if (hit < predicted / 4 && clock > this.#index.floor(this.#slot)) {
      if (this.#bad === 0) this.#badAt = clock;
      this.#bad += 1;
      if (this.#bad < BAD_ANSWERS) return;
      this.#bad = 0;
      this.#index.raiseFloor(this.#slot, this.#badAt);
    }
  }
}

/** How many whole chunks of the prompt the cached tokens cover. */
function hitChunks({ prompt }: Dispatch, promptTokens: number, cachedTokens: number): number {
  const chunkTokens = (promptTokens * CHUNK_CHARS) / prompt.chars;
  return Math.min(wholeChunks(prompt), Math.max(0, Math.floor(cachedTokens / chunkTokens + 0.01)));
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
