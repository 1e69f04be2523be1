/**
 * A vLLM-like engine with chunked prefill and a prefix cache, simulated step by step. A step has a
 * token budget. Decoding requests go first, then started prompts in order of arrival, then new
 * prompts as long as their whole answer fits into the KV cache. Not modelled: preemption, reuse of
 * generated tokens, the network.
 */
import { Evictions } from '../../../../agent/engine/kv-events/evictions.ts';
import { BLOCK_TOKENS, reusableBlocks } from '../trace/trace.ts';
import { BlockPool } from './block-pool.ts';
import { attentionS, RUNNING_MAX, STEP_TOKENS_MAX, stepS } from './costs.ts';
import type { Job, Running } from './job.ts';
import type { Timeline } from './timeline.ts';

export type Hears = Readonly<{ firstToken(job: Job): void; ended(job: Job): void }>;

export class Worker {
  readonly pool: BlockPool;
  /** What an agent would know from the engine's KV events. */
  readonly evictions = new Evictions();
  readonly waiting: Job[] = [];
  running: Running[] = [];
  /** Context tokens of all decoding requests. */
  contextTokens = 0;
  /** When the current step ends, or null while the engine is idle. */
  stepEndS: number | null = null;
  readonly #timeline: Timeline;
  readonly #hears: Hears;

  constructor(blocks: number, timeline: Timeline, hears: Hears) {
    this.pool = new BlockPool(blocks, (type, id) => {
      const now = 1000 * timeline.nowS;
      this.evictions.record([{ type, blocks: [id] }], { at: now, now });
    });
    this.#timeline = timeline;
    this.#hears = hears;
  }

  get inFlight(): number {
    return this.waiting.length + this.running.length;
  }

  /** Queues a job. The job must fit into the empty cache. */
  take(job: Job): void {
    this.waiting.push(job);
    if (this.stepEndS === null) this.#begin();
  }

  /** Fills a step and starts it. */
  #begin(): void {
    const decoding = this.running.reduce((sum, one) => sum + (one.generated > 0 ? 1 : 0), 0);
    const step = { tokens: decoding, attentionS: 0, contextTokens: this.contextTokens };
    for (const one of this.running) if (one.generated === 0) this.#give(one, step);
    while (step.tokens < STEP_TOKENS_MAX && this.running.length < RUNNING_MAX) {
      const next = this.#admit();
      if (next === null) break;
      this.running.push(next);
      this.#give(next, step);
    }
    if (step.tokens === 0) {
      this.stepEndS = null;
      return;
    }
    this.stepEndS = this.#timeline.nowS + stepS(step);
    this.#timeline.at(this.stepEndS, () => this.#end());
  }

  /**
   * Adds a piece of a prompt, as large as the step's budget allows. From now on others may hit its
   * blocks.
   */
  #give(one: Running, step: { tokens: number; attentionS: number }): void {
    const { inputTokens, blocks } = one.job.ask;
    one.piece = Math.min(STEP_TOKENS_MAX - step.tokens, inputTokens - one.computed);
    if (one.piece === 0) return;
    const computed = one.computed + one.piece;
    step.tokens += one.piece;
    step.attentionS += attentionS(one.computed, computed);
    const whole = Math.min(Math.floor(computed / BLOCK_TOKENS), blocks.length);
    for (; one.published < whole; one.published++) {
      const slot = this.pool.publish(blocks[one.published] as number);
      if (slot === null) continue;
      one.held.push(slot);
      one.reserved--;
    }
  }

  /**
   * Starts the first waiting job. If its answer does not fit yet, it stays, and no later job is
   * started before it.
   */
  #admit(): Running | null {
    const job = this.waiting[0];
    if (!job) return null;
    const { inputTokens, outputTokens, blocks } = job.ask;
    const depth = this.pool.depth(blocks, reusableBlocks(job.ask));
    const own = Math.ceil((inputTokens + outputTokens) / BLOCK_TOKENS) - depth;
    if (!this.pool.fits(own, blocks, depth) && this.running.length > 0) return null;
    this.waiting.shift();
    job.hitBlocks = depth;
    const held: number[] = [];
    for (let i = 0; i < depth; i++) held.push(this.pool.hold(blocks[i] as number));
    return {
      job,
      computed: depth * BLOCK_TOKENS,
      piece: 0,
      generated: 0,
      published: depth,
      held,
      reserved: this.pool.reserve(own),
    };
  }

  #end(): void {
    let over = false;
    for (const one of this.running) {
      this.#progress(one);
      over ||= one.generated >= one.job.ask.outputTokens;
    }
    if (over) this.running = this.running.filter((one) => !this.#leave(one));
    this.#begin();
  }

  #progress(one: Running): void {
    if (one.generated > 0) {
      one.generated++;
      this.contextTokens++;
      return;
    }
    one.computed += one.piece;
    one.piece = 0;
    if (one.computed < one.job.ask.inputTokens) return;
    one.generated = 1;
    this.contextTokens += one.computed;
    one.job.firstTokenS = this.#timeline.nowS;
    this.#hears.firstToken(one.job);
  }

  #leave(one: Running): boolean {
    const { inputTokens, outputTokens } = one.job.ask;
    if (one.generated < outputTokens) return false;
    this.contextTokens -= inputTokens + one.generated - 1;
    this.pool.release(one.held, one.reserved);
    one.job.endS = this.#timeline.nowS;
    this.#hears.ended(one.job);
    return true;
  }
}
