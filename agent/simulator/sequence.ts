/** One request in the scheduler: what it generates, and the state of its KV. */
import { BLOCK_TOKENS, blockHashes, chainHash } from './kv/block-hash.ts';
import type { StoredBlock } from './kv/listener.ts';

/** What is generated, seen from the scheduler. */
export interface Generation {
  readonly model: string;
  /** The parent of its first block: model and salt. */
  readonly root: number;
  /** For those who listen to the cache. */
  readonly salt: string | null;
  readonly prompt: Int32Array;
  /** True when the last token is sampled, or when nobody wants the next one. */
  readonly finished: boolean;
  /** It has its place, for the first time; this much of its prompt was in the cache. */
  admitted(cachedTokens: number, nowMs: number): void;
  /** Samples the next token and returns its id. */
  sample(nowMs: number): number;
  /**
   * How long its next work is held back: nothing, unless a fault says so; Infinity is until
   * `resume`.
   */
  holdMs(): number;
}

/**
 * Counts of one model since the start, in tokens but for the preemptions. What is computed again
 * asks the cache again: preemptions inflate its hit rate, as they do on the real engine.
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
  /** Of the full blocks computed or to be computed: the prompt's, then the output's. */
  readonly hashes: number[];
  readonly blocks: number[] = [];
  /** Blocks promised and not taken yet. */
  promised = 0;
  blocksPublished = 0;
  /** Tokens whose KV is there. The token sampled last is computed by the next step. */
  computed = 0;
  /** Tokens to compute before the next sample: the prompt, and after a preemption the answer too. */
  prefillTokens: number;
  preemptions = 0;
  lastToken = 0;
  /** What was sampled, but for the last token. */
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

  /** The token sampled last becomes one of those that came before. */
  append(): void {
    const at = this.promptTokens + this.outputs.length;
    this.outputs.push(this.lastToken);
    this.tail[at % BLOCK_TOKENS] = this.lastToken;
    if ((at + 1) % BLOCK_TOKENS > 0) return;
    const parent = this.hashes.at(-1) ?? this.generation.root;
    this.hashes.push(chainHash(parent, this.tail, 0));
  }

  /** Nothing is computed any more; what was sampled is computed with the prompt. */
  restart(): void {
    if (!this.prefilling) this.append();
    this.prefillTokens = this.promptTokens + this.outputs.length;
    this.computed = 0;
    this.blocksPublished = 0;
    this.preemptions++;
    this.phase = 'waiting';
  }

  /** One of its full blocks, as others are told of it. */
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
