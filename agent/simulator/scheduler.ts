/**
 * Schedules the engine's steps as vLLM does. It is deterministic, and changes nothing but the
 * generations that it drives. It reads no clock and sets no timer: the engine passes the time.
 *
 *   submit ─▶ waiting ─(first come, if a slot and KV are free)───▶ running: prefill, decode ─▶ gone
 *                ▲                                                    │
 *                └──────────(preempted: the youngest, to the front)───┘
 *
 * A step has a budget of tokens. Each running request that decodes takes one. What is left goes to
 * prefill, first come first served, in chunks for a longer prompt. What is still left admits
 * waiting requests. Admission reserves KV blocks for everything that is computed before the
 * request's next token. When an answer needs another block and none is left, the youngest request
 * is preempted: it loses its blocks, waits before all others, and computes its prompt and answer
 * again, as far as they are no longer in the cache. The oldest request is never preempted and fits
 * alone, so all of them finish. llama.cpp preempts nothing: it ends all running requests with an
 * error.
 *
 * Hot path: `complete` runs for every token of every stream.
 */
import { BLOCK_TOKENS } from './kv/block-hash.ts';
import type { BlockPool } from './kv/block-pool.ts';
import { type Generation, Sequence, type Totals } from './sequence.ts';
import { WaitingLine } from './waiting-line.ts';

export interface Timing {
  /** A step in which any request decodes takes `tokenMs`, and `decodeSlopeUs` for each of them. */
  readonly tokenMs: number;
  readonly decodeSlopeUs: number;
  /** Each token of prefill adds `prefillUs` to a step. */
  readonly prefillUs: number;
}

export interface SchedulerLimits {
  readonly tokenBudget: number;
  readonly runningMax: number;
  /** Whether all running requests are cut off when the KV cache is full, as llama.cpp does. */
  readonly cutsWhenFull?: boolean;
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
  readonly #waiting = new WaitingLine<Sequence>();
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

  get waiting(): Pick<WaitingLine<Sequence>, 'size'> & Iterable<Sequence> {
    return this.#waiting;
  }

  totals(model: string): Totals {
    let totals = this.#totals.get(model);
    if (!totals) {
      totals = {
        preemptions: 0,
        cacheQueries: 0,
        cacheHits: 0,
        promptTokens: 0,
        generationTokens: 0,
      };
      this.#totals.set(model, totals);
    }
    return totals;
  }

  submit(generation: Generation, nowMs: number): Sequence {
    const sequence = new Sequence(generation, this.totals(generation.model), nowMs);
    this.#waiting.join(sequence);
    return sequence;
  }

  /** Removes a request at once, whether it runs or waits. Its blocks are free for the next step. */
  abort(sequence: Sequence): void {
    if (sequence.phase === 'running') this.#leave(sequence);
    this.#waiting.leave(sequence);
    sequence.phase = 'gone';
  }

  /** Ends every hold, because the fault that caused it is over. */
  resume(): void {
    for (const sequence of [...this.#running, ...this.#waiting]) sequence.resumeAtMs = 0;
  }

  /** Returns when the first held request continues, in monotonic ms, or Infinity. */
  nextResumeMs(): number {
    let first = Infinity;
    for (const { resumeAtMs } of this.#running) first = Math.min(first, resumeAtMs);
    return first;
  }

  /** Plans the next step. Returns null if there is nothing to do. */
  begin(nowMs: number): Step | null {
    const decodes: Sequence[] = [];
    const prefills: { sequence: Sequence; tokens: number }[] = [];
    let left = this.#limits.tokenBudget;
    let isFull = false;
    // Oldest first: a preempted request comes later in the loop, or is the current one.
    for (const sequence of this.#running) {
      if (left === 0 || sequence.prefilling || sequence.resumeAtMs > nowMs) continue;
      while (!this.#hasRoom(sequence)) {
        if (this.#limits.cutsWhenFull) this.#cutAll(nowMs);
        else {
          isFull = true;
          this.#preempt(this.#youngest() ?? sequence);
        }
      }
      if (sequence.phase !== 'running') break;
      decodes.push(sequence);
      left--;
    }
    const prefill = (sequence: Sequence): void => {
      if (left === 0 || !sequence.prefilling || sequence.resumeAtMs > nowMs) return;
      const tokens = Math.min(left, sequence.prefillTokens - sequence.computed);
      prefills.push({ sequence, tokens });
      left -= tokens;
    };
    for (const sequence of this.#running) prefill(sequence);
    // A request that is admitted now would be preempted at once.
    if (!isFull) {
      for (let next = this.#admit(left, nowMs); next; next = this.#admit(left, nowMs))
        prefill(next);
    }
    if (decodes.length + prefills.length === 0) return null;
    const prefillTokens = prefills.reduce((sum, { tokens }) => sum + tokens, 0);
    return { decodes, prefills, durationMs: this.#durationMs(decodes.length, prefillTokens) };
  }

  /** Executes the step that `begin` planned. A request that was aborted meanwhile is skipped. */
  complete(step: Step, nowMs: number): void {
    for (const { sequence, tokens } of step.prefills) {
      if (sequence.phase !== 'running') continue;
      sequence.computed += tokens;
      this.#keep(sequence);
      if (sequence.prefilling) continue;
      const isFirst = sequence.prefillTokens === sequence.promptTokens;
      if (isFirst) sequence.totals.promptTokens += sequence.promptTokens;
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
   * Admits the first waiting request, and returns it. Returns null if the step, the running
   * requests or the KV cache have no room for it.
   */
  #admit(left: number, nowMs: number): Sequence | null {
    const sequence = this.#waiting.first;
    if (!sequence || left === 0 || this.#running.size >= this.#limits.runningMax) return null;
    const { generation, prefillTokens, totals } = sequence;
    // The last token is always computed, because its output is the first sample.
    const hitsMax = Math.floor((prefillTokens - 1) / BLOCK_TOKENS);
    const hits = this.pool.match(sequence.hashes, hitsMax);
    const blocks = Math.ceil(prefillTokens / BLOCK_TOKENS);
    if (!this.pool.reserve(hits, blocks)) return null;
    this.#waiting.leave(sequence);
    this.#running.add(sequence);
    sequence.phase = 'running';
    for (const block of hits) sequence.blocks.push(block);
    sequence.promised = blocks - hits.length;
    sequence.blocksPublished = hits.length;
    sequence.computed = hits.length * BLOCK_TOKENS;
    totals.cacheQueries += prefillTokens;
    totals.cacheHits += sequence.computed;
    if (sequence.preemptions === 0) generation.admitted(sequence.computed, nowMs);
    return sequence;
  }

  /** Computes the KV of the token that was sampled last. */
  #compute(sequence: Sequence): void {
    sequence.append();
    sequence.computed++;
    if (sequence.computed % BLOCK_TOKENS <= 1) this.#keep(sequence);
  }

  /** Gets a block for the next token if it has none. Returns false if no block is left. */
  #hasRoom(sequence: Sequence): boolean {
    if (sequence.phase !== 'running') return true;
    const held = sequence.blocks.length + sequence.promised;
    if (sequence.computed < held * BLOCK_TOKENS) return true;
    if (!this.pool.promiseOne()) return false;
    sequence.promised++;
    return true;
  }

  #youngest(): Sequence | undefined {
    return [...this.#running].at(-1);
  }

  /** Preempts a running request: it loses its blocks, waits before all others, and begins again. */
  #preempt(sequence: Sequence): void {
    this.#leave(sequence);
    sequence.restart();
    sequence.totals.preemptions++;
    this.#waiting.rejoin(sequence);
  }

  /** Ends all running requests without an answer. */
  #cutAll(nowMs: number): void {
    for (const sequence of this.#running) {
      this.#leave(sequence);
      sequence.phase = 'gone';
      sequence.generation.cut(nowMs);
    }
  }

  /** Takes blocks for the computed tokens, and lets other requests find the full ones. */
  #keep(sequence: Sequence): void {
    const { blocks, hashes } = sequence;
    while (blocks.length * BLOCK_TOKENS < sequence.computed) {
      blocks.push(this.pool.take());
      sequence.promised--;
    }
    const full = Math.floor(sequence.computed / BLOCK_TOKENS);
    for (; sequence.blocksPublished < full; sequence.blocksPublished++) {
      const at = sequence.blocksPublished;
      const isNew = this.pool.publish(blocks[at] ?? 0, hashes[at] ?? 0);
      if (isNew) this.pool.listener?.stored(sequence.blockAt(at));
    }
  }

  #sample(sequence: Sequence, nowMs: number): void {
    const { generation } = sequence;
    sequence.lastToken = generation.sample(nowMs);
    sequence.totals.generationTokens++;
    sequence.resumeAtMs = nowMs + generation.holdMs();
    // A fault inside `sample` may have aborted the request already.
    if (generation.finished && sequence.phase === 'running') {
      this.#leave(sequence);
      sequence.phase = 'gone';
    }
  }

  #leave(sequence: Sequence): void {
    this.#running.delete(sequence);
    this.pool.release(sequence.blocks, sequence.promised);
    sequence.blocks.length = 0;
    sequence.promised = 0;
  }
}
