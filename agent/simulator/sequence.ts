/** One request in the scheduler: what it generates, and the state of its KV. */
import { BLOCK_TOKENS, blockHashes, chainHash } from './kv/block-hash.ts';
import type { StoredBlock } from './kv/listener.ts';

/** A generation, as the scheduler sees it. */
export interface Generation {
  readonly model: string;
  /** The parent of the first block: a hash of model and salt. */
  readonly root: number;
  /** For listeners of the prefix cache. */
  readonly salt: string | null;
  readonly prompt: Int32Array;
  /** True when the last token was sampled, or when the answer was stopped or abandoned. */
  readonly finished: boolean;
  /** Called when the request first runs. `cachedTokens` of its prompt were in the cache. */
  admitted(cachedTokens: number, nowMs: number): void;
  /** Samples the next token and returns its id. */
  sample(nowMs: number): number;
  /** Called when the engine ends the request, because the KV cache has no room for its next token. */
  cut(nowMs: number): void;
  /**
   * Returns how many ms the next work is held back. It is 0 without a fault, and Infinity holds the
   * request until `resume`.
   */
  holdMs(): number;
}

/**
 * Counts of one model since the start, in tokens except for the preemptions. A preempted request
 * queries the cache again, so preemptions inflate the hit rate, as they do on the real engine.
 */
export interface Totals {
  preemptions: number;
  cacheQueries: number;
  cacheHits: number;
  promptTokens: number;
  generationTokens: number;
}

export class Sequence {
  readonly generation: Generation;
  readonly totals: Totals;
  phase: 'waiting' | 'running' | 'gone' = 'waiting';
  readonly promptTokens: number;
  /** The hashes of the full blocks, computed or to be computed: the prompt's, then the output's. */
  readonly hashes: number[];
  readonly blocks: number[] = [];
  /** Blocks promised and not taken yet. */
  promised = 0;
  blocksPublished = 0;
  /** Tokens whose KV is computed. The token sampled last is computed by the next step. */
  computed = 0;
  /** Tokens to compute before the next sample: the prompt, and the answer after a preemption. */
  prefillTokens: number;
  preemptions = 0;
  lastToken = 0;
  /** The sampled tokens, without the last one. */
  readonly outputs: number[] = [];
  /** The tokens of the block that is being filled. */
  readonly tail = new Int32Array(BLOCK_TOKENS);
  resumeAtMs: number;

  constructor(generation: Generation, totals: Totals, nowMs: number) {
    this.generation = generation;
    this.totals = totals;
    this.promptTokens = generation.prompt.length;
    this.prefillTokens = this.promptTokens;
    this.hashes = blockHashes(generation.root, generation.prompt);
    this.tail.set(generation.prompt.subarray(this.hashes.length * BLOCK_TOKENS));
    this.resumeAtMs = nowMs + generation.holdMs();
  }

  get prefilling(): boolean {
    return this.computed < this.prefillTokens;
  }

  /** Appends the token sampled last to the outputs. */
  append(): void {
    const at = this.promptTokens + this.outputs.length;
    this.outputs.push(this.lastToken);
    this.tail[at % BLOCK_TOKENS] = this.lastToken;
    if ((at + 1) % BLOCK_TOKENS > 0) return;
    const parent = this.hashes.at(-1) ?? this.generation.root;
    this.hashes.push(chainHash(parent, this.tail, 0));
  }

  /**
   * Resets a preempted request. Its sampled tokens are computed again, together with the prompt.
   */
  restart(): void {
    if (!this.prefilling) this.append();
    this.prefillTokens = this.promptTokens + this.outputs.length;
    this.computed = 0;
    this.blocksPublished = 0;
    this.preemptions++;
    this.phase = 'waiting';
  }

  /** Returns a full block, as listeners receive it. */
  blockAt(index: number): StoredBlock {
    const { prompt, salt } = this.generation;
    const tokens = Array.from({ length: BLOCK_TOKENS }, (_, offset) => {
      const at = index * BLOCK_TOKENS + offset;
      return prompt[at] ?? this.outputs[at - this.promptTokens] ?? 0;
    });
    const parent = index === 0 ? null : (this.hashes[index - 1] ?? null);
    return { hash: this.hashes[index] ?? 0, parent, tokens, salt: index === 0 ? salt : null };
  }
}
