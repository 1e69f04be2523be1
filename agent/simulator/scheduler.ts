/**
 * The engine's step, as vLLM schedules it: pure but for the generations it drives, and
 * deterministic. It reads no clock and sets no timer; the engine tells it the time.
 *
 *   submit ─▶ waiting ─(first come, if a place and KV are there)─▶ running: prefill, decode ─▶ gone
 *
 * A step has a budget of tokens. Running requests that decode take one each; what is left goes to
 * prefill, first come first served, in chunks where a prompt is longer; what is still left admits
 * waiting requests. Admission promises KV for the prompt and for all the output the answer can
 * have, so nothing is preempted.
 *
 * Hot path: `complete` runs for every token of every stream.
 */
import { BLOCK_TOKENS, blockHashes, chainHash } from './kv/block-hash.ts';
import type { BlockPool } from './kv/block-pool.ts';

/** What is generated, seen from the scheduler. */
export interface Generation {
  readonly model: string;
  /** The parent of its first block: model and salt. */
  readonly root: number;
  readonly prompt: Int32Array;
  /** The most tokens it will sample. */
  readonly outputTokensMax: number;
  /** True when the last token is sampled, or when nobody wants the next one. */
  readonly finished: boolean;
  /** It has its place; this much of its prompt was in the cache. */
  admitted(cachedTokens: number, nowMs: number): void;
  /** Samples the next token and returns its id. */
  sample(nowMs: number): number;
  /**
   * How long its next work is held back: nothing, unless a fault says so; Infinity is until
   * `resume`.
   */
  holdMs(): number;
}

export interface Timing {
  /** A step in which anything decodes takes this, and this for each request that decodes. */
  readonly tokenMs: number;
  readonly decodeSlopeUs: number;
  /** Each token of prefill adds this. */
  readonly prefillUs: number;
}

export interface SchedulerLimits {
  readonly tokenBudget: number;
  readonly runningMax: number;
}

/** Counts of one model since the start, in tokens. */
export interface Totals {
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
  blocksTotal = 0;
  blocksPublished = 0;
  /** Tokens whose KV is there. The token sampled last is computed by the next step. */
  computed = 0;
  lastToken = 0;
  /** The tokens of the block that is being filled. */
  readonly tail = new Int32Array(BLOCK_TOKENS);
  resumeAtMs: number;

  constructor(generation: Generation, totals: Totals, nowMs: number) {
    this.generation = generation;
    this.totals = totals;
    this.promptTokens = generation.prompt.length;
    this.hashes = blockHashes(generation.root, generation.prompt);
    this.tail.set(generation.prompt.subarray(this.hashes.length * BLOCK_TOKENS));
    this.resumeAtMs = nowMs + generation.holdMs();
  }

  get prefilling(): boolean {
    return this.computed < this.promptTokens;
  }
}

export interface Step {
  readonly decodes: readonly Sequence[];
  readonly prefills: readonly { readonly sequence: Sequence; readonly tokens: number }[];
  readonly durationMs: number;
}

export class Scheduler {
  readonly pool: BlockPool;
  readonly #timing: Timing;
  readonly #limits: SchedulerLimits;
  readonly #waiting = new Set<Sequence>();
  readonly #running = new Set<Sequence>();
  readonly #totals = new Map<string, Totals>();

  constructor(pool: BlockPool, timing: Timing, limits: SchedulerLimits) {
    this.pool = pool;
    this.#timing = timing;
    this.#limits = limits;
  }

  get running(): ReadonlySet<Sequence> {
    return this.#running;
  }

  get waiting(): ReadonlySet<Sequence> {
    return this.#waiting;
  }

  totals(model: string): Totals {
    let totals = this.#totals.get(model);
    if (!totals) {
      totals = { cacheQueries: 0, cacheHits: 0, promptTokens: 0, generationTokens: 0 };
      this.#totals.set(model, totals);
    }
    return totals;
  }

  submit(generation: Generation, nowMs: number): Sequence {
    const sequence = new Sequence(generation, this.totals(generation.model), nowMs);
    this.#waiting.add(sequence);
    return sequence;
  }

  /** Forgets a request at once, wherever it is; its blocks are free for the next step. */
  abort(sequence: Sequence): void {
    if (sequence.phase === 'running') this.#leave(sequence);
    this.#waiting.delete(sequence);
    sequence.phase = 'gone';
  }

  /** Ends every hold: the fault that asked for it is over. */
  resume(): void {
    for (const sequence of [...this.#running, ...this.#waiting]) sequence.resumeAtMs = 0;
  }

  /** When the first held request goes on, if only that is being waited for. */
  nextResumeMs(): number {
    let first = Infinity;
    for (const { resumeAtMs } of this.#running) first = Math.min(first, resumeAtMs);
    return first;
  }

  /** What the next step does, or null if there is nothing to do. */
  begin(nowMs: number): Step | null {
    const decodes: Sequence[] = [];
    const prefills: { sequence: Sequence; tokens: number }[] = [];
    let left = this.#limits.tokenBudget;
    for (const sequence of this.#running) {
      if (left > 0 && !sequence.prefilling && sequence.resumeAtMs <= nowMs) {
        decodes.push(sequence);
        left--;
      }
    }
    const prefill = (sequence: Sequence): void => {
      if (left === 0 || !sequence.prefilling || sequence.resumeAtMs > nowMs) return;
      const tokens = Math.min(left, sequence.promptTokens - sequence.computed);
      prefills.push({ sequence, tokens });
      left -= tokens;
    };
    for (const sequence of this.#running) prefill(sequence);
    for (let next = this.#admit(left, nowMs); next; next = this.#admit(left, nowMs)) prefill(next);
    if (decodes.length + prefills.length === 0) return null;
    const prefillTokens = prefills.reduce((sum, { tokens }) => sum + tokens, 0);
    return { decodes, prefills, durationMs: this.#durationMs(decodes.length, prefillTokens) };
  }

  /** Does what `begin` planned. A request that was aborted meanwhile is passed over. */
  complete(step: Step, nowMs: number): void {
    for (const { sequence, tokens } of step.prefills) {
      if (sequence.phase !== 'running') continue;
      sequence.computed += tokens;
      this.#keep(sequence);
      if (sequence.prefilling) continue;
      sequence.totals.promptTokens += sequence.promptTokens;
      this.#sample(sequence, nowMs);
    }
    for (const sequence of step.decodes) {
      if (sequence.phase !== 'running') continue;
      this.#compute(sequence);
      this.#sample(sequence, nowMs);
    }
  }

  #durationMs(decodes: number, prefillTokens: number): number {
    const { tokenMs, decodeSlopeUs, prefillUs } = this.#timing;
    const decodeMs = decodes > 0 ? tokenMs + (decodes * decodeSlopeUs) / 1000 : 0;
    return decodeMs + (prefillTokens * prefillUs) / 1000;
  }

  /**
   * The request that has waited longest begins to run, if the step has room, and a place and KV are
   * there.
   */
  #admit(left: number, nowMs: number): Sequence | null {
    const [sequence] = this.#waiting;
    if (!sequence || left === 0 || this.#running.size >= this.#limits.runningMax) return null;
    const { generation, promptTokens, totals } = sequence;
    // The last token of a prompt is always computed, for its output is the first sample.
    const hitsMax = Math.floor((promptTokens - 1) / BLOCK_TOKENS);
    const hits = this.pool.match(sequence.hashes, hitsMax);
    const blocks = blocksFor(promptTokens + generation.outputTokensMax);
    if (!this.pool.reserve(hits, blocks)) return null;
    this.#waiting.delete(sequence);
    this.#running.add(sequence);
    sequence.phase = 'running';
    for (const block of hits) sequence.blocks.push(block);
    sequence.blocksTotal = blocks;
    sequence.blocksPublished = hits.length;
    sequence.computed = hits.length * BLOCK_TOKENS;
    totals.cacheQueries += promptTokens;
    totals.cacheHits += sequence.computed;
    generation.admitted(sequence.computed, nowMs);
    return sequence;
  }

  /** Computes the KV of the token that was sampled last. */
  #compute(sequence: Sequence): void {
    sequence.tail[sequence.computed % BLOCK_TOKENS] = sequence.lastToken;
    sequence.computed++;
    const filled = sequence.computed % BLOCK_TOKENS;
    if (filled === 0) {
      const parent = sequence.hashes.at(-1) ?? sequence.generation.root;
      sequence.hashes.push(chainHash(parent, sequence.tail, 0));
    }
    if (filled <= 1) this.#keep(sequence);
  }

  /** Gives what was computed its blocks, and lets others find the full ones. */
  #keep(sequence: Sequence): void {
    const { blocks, hashes } = sequence;
    while (blocks.length * BLOCK_TOKENS < sequence.computed) blocks.push(this.pool.take());
    const full = Math.floor(sequence.computed / BLOCK_TOKENS);
    for (; sequence.blocksPublished < full; sequence.blocksPublished++) {
      const at = sequence.blocksPublished;
      this.pool.publish(blocks[at] ?? 0, hashes[at] ?? 0);
    }
  }

  #sample(sequence: Sequence, nowMs: number): void {
    const { generation } = sequence;
    sequence.lastToken = generation.sample(nowMs);
    sequence.totals.generationTokens++;
    sequence.resumeAtMs = nowMs + generation.holdMs();
    // A fault inside `sample` may have aborted it already.
    if (generation.finished && sequence.phase === 'running') {
      this.#leave(sequence);
      sequence.phase = 'gone';
    }
  }

  #leave(sequence: Sequence): void {
    this.#running.delete(sequence);
    this.pool.release(sequence.blocks, sequence.blocksTotal - sequence.blocks.length);
  }
}

function blocksFor(tokens: number): number {
  return Math.ceil(tokens / BLOCK_TOKENS);
}
