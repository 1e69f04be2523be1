/**
 * Which prompt prefixes were sent to a worker: a bounded set of chained hashes of the prompt's canonical
 * text. It predicts cached tokens, and bounds what a worker may report as cached.
 */
import { hash } from 'node:crypto';

/** Characters of canonical text in one chunk. */
const CHUNK_CHARS = 1024;
/** Prompts are indexed up to here; what is beyond counts as never seen. */
const CHUNKS_MAX = 4096;

/** A prompt as the index knows it. */
export type Prefix = Readonly<{
  /**
   * First the seed's own hash, then one for each whole chunk, each bound to all text before it. The first
   * stands for "anything at all from this organization for this model".
   */
  chunks: readonly string[];
  chars: number;
}>;

/** Hashes a prompt. `seed` binds it to model and organization, so that no two share a prefix. */
export function prefixOf(seed: string, text: string): Prefix {
  const whole = Math.min(CHUNKS_MAX, Math.floor(text.length / CHUNK_CHARS));
  let before = hash('sha1', seed, 'base64');
  const chunks = [before];
  for (let i = 0; i < whole; i++) {
    before = hash('sha1', before + text.slice(i * CHUNK_CHARS, (i + 1) * CHUNK_CHARS), 'base64');
    chunks.push(before);
  }
  return { chunks, chars: text.length };
}

export class PrefixIndex {
  /** In order of last use: a Map keeps the order of insertion. */
  readonly #seen = new Map<string, true>();
  readonly #entriesMax: number;
  /**
   * Whether it knows of everything in the engine's cache. A router that was started anew does not know what its
   * engines still have, nor does an index that has forgotten something.
   */
  #complete = false;

  constructor(entriesMax = 16_384) {
    this.#entriesMax = entriesMax;
  }

  get size(): number {
    return this.#seen.size;
  }

  get isComplete(): boolean {
    return this.#complete;
  }

  /** All that the engine has in its cache was sent since this index began. */
  knowsAll(): void {
    this.#complete = true;
  }

  /** How many leading chunks of a prompt this worker has had. */
  depth(prefix: Prefix): number {
    let depth = 0;
    while (depth < prefix.chunks.length && this.#seen.has(prefix.chunks[depth] as string)) depth++;
    return depth;
  }

  /** The worker was sent this prompt. */
  touch(prefix: Prefix): void {
    // Last chunks first, so that the head of a prompt outlives its tail.
    for (let i = prefix.chunks.length - 1; i >= 0; i--) {
      const chunk = prefix.chunks[i] as string;
      this.#seen.delete(chunk);
      this.#seen.set(chunk, true);
    }
    for (const oldest of this.#seen.keys()) {
      if (this.#seen.size <= this.#entriesMax) break;
      this.#seen.delete(oldest);
      this.#complete = false;
    }
  }
}

/** The tokens of a prompt that the worker is expected to have cached, after `depth` leading matches. */
export function predictedTokens(prefix: Prefix, depth: number, promptTokens: number): number {
  const chars = Math.max(0, depth - 1) * CHUNK_CHARS;
  if (chars === 0 || promptTokens === 0) return 0;
  return Math.min(promptTokens - 1, Math.floor((promptTokens * chars) / prefix.chars));
}

/**
 * The most that a worker may report as cached: the text it was sent before and the chunk in which the
 * prompts part, at a token a character; nothing if it never had anything under this seed.
 */
export function cachedTokensMax(depth: number, promptTokens: number): number {
  return depth > CHUNKS_MAX ? promptTokens : Math.min(promptTokens, depth * CHUNK_CHARS);
}
