/**
 * Estimates what an engine's prefix cache holds. How many chunks: from the size that the engine
 * reports, from the age of the chunks that its answers hit and missed, and from the age of what it
 * is known to have evicted. And since when: answers that hit almost nothing show a restart.
 */
import type { Ages, CacheBounds } from './cache-bounds.ts';
import type { InFlightRequest } from './in-flight-request.ts';
import { wholeChunks } from './prompt.ts';

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
/** After this many bad answers in a row, the engine is assumed to have restarted. */
const BAD_ANSWERS = 3;

export class CacheEstimator {
  readonly bounds: CacheBounds;
  #badAnswers = 0;
  /** The clock when the first of the bad answers was sent. */
  #badSince = 0;

  constructor(bounds: CacheBounds) {
    this.bounds = bounds;
  }

  /** Sets the capacity until the engine reports its size. */
  unreported(): void {
    this.#set(CAPACITY_FIRST);
  }

  /** Sets the capacity to the tokens that the engine reports. Answers adjust it later. */
  reported(kvTokens: number): void {
    this.#set(kvTokens / CHUNK_TOKENS);
  }

  /** Records that nothing is left of what the engine had at this clock, which is now `stored`. */
  evicted(clock: number, stored: number): void {
    this.#raise(clock);
    this.#set(stored - clock);
  }

  /** Records that the engine has restarted at this clock. */
  restarted(clock: number): void {
    this.bounds.floor = clock;
    this.#badAnswers = 0;
  }

  /** Learns from an answer that hit this many chunks, where `depth` entries were expected. */
  answered(request: InFlightRequest, depth: number, hitChunks: number): void {
    this.#learnCapacity(request, hitChunks);
    this.#noteRestart(request.clock, depth, hitChunks);
  }

  #learnCapacity({ prompt, ages, safeAge }: InFlightRequest, hitChunks: number): void {
    const chunks = wholeChunks(prompt);
    const { capacity } = this.bounds;
    // Tokens are not spread evenly over the text, and the last token of a prompt is never cached,
    // so only a clear miss counts.
    const clear = hitChunks + 2 + Math.floor(chunks / 16);
    const missed = clear <= chunks ? ageAt(ages, clear) : null;
    if (missed !== null && missed < capacity && missed >= safeAge) this.#approach(missed);
    const oldest = hitChunks > 0 ? ageAt(ages, hitChunks) : null;
    if (oldest !== null && oldest > capacity) this.#approach(oldest);
  }

  /** Detects a restart: several answers in a row hit almost nothing where much was expected. */
  #noteRestart(clock: number, depth: number, hitChunks: number): void {
    const predicted = depth - 1;
    if (predicted < SURE_CHUNKS) return;
    if (hitChunks >= predicted / 2) {
      this.#badAnswers = 0;
    } else if (hitChunks < predicted / 4 && clock > this.bounds.floor) {
      if (this.#badAnswers === 0) this.#badSince = clock;
      this.#badAnswers += 1;
      if (this.#badAnswers < BAD_ANSWERS) return;
      this.#badAnswers = 0;
      this.#raise(this.#badSince);
    }
  }

  #approach(age: number): void {
    const { capacity } = this.bounds;
    this.#set(capacity + CAPACITY_WEIGHT * (age - capacity));
  }

  #set(chunks: number): void {
    this.bounds.capacity = Math.max(CAPACITY_MIN, chunks);
  }

  #raise(clock: number): void {
    this.bounds.floor = Math.max(this.bounds.floor, clock);
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
