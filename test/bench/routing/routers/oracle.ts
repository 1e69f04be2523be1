/**
 * The greedy oracle: it sees every worker's cache, queue and current step and the length of each
 * answer, and sends a request to the worker with the earliest first token. No real router can know
 * this. The oracle is what routers are measured against.
 */
import type { Random } from '../../../../shared/random.ts';
import { CONTEXT_TOKEN_S, prefillS, STEP_S, STEP_TOKENS_MAX } from '../model/costs.ts';
import type { Job, Running } from '../model/job.ts';
import type { Timeline } from '../model/timeline.ts';
import type { Worker } from '../model/worker.ts';
import { BLOCK_TOKENS, reusableBlocks } from '../trace/trace.ts';
import { HEARS_NOTHING, type Router } from './router.ts';

/** The approximate time of one token beside a full batch. */
const DECODE_STEP_S = 0.03;
/** Costs closer than this are equal. */
const EQUAL_S = 1e-12;

export function oracle(
  workers: readonly Worker[],
  parts: Readonly<{ timeline: Timeline; random: Random }>,
): Router {
  const minds = workers.map((worker) => new WorkerMind(worker));
  return {
    ...HEARS_NOTHING,
    dispatch(job) {
      const costs = minds.map((mind) => mind.firstTokenS(job, parts.timeline.nowS));
      const picked = leastOf(costs, parts.random);
      minds[picked]?.took(job);
      return picked;
    },
    firstToken: (job) => minds[job.worker]?.computed(job),
  };
}

/** Returns the index of the least cost, chosen at random among equals. */
export function leastOf(costs: readonly number[], random: Random): number {
  let least = Number.POSITIVE_INFINITY;
  let picked = 0;
  let equals = 0;
  for (const [at, cost] of costs.entries()) {
    if (cost < least - EQUAL_S) {
      least = cost;
      picked = at;
      equals = 1;
    } else if (cost <= least + EQUAL_S) {
      equals++;
      if (random.below(equals) === 0) picked = at;
    }
  }
  return picked;
}

class WorkerMind {
  readonly #worker: Worker;
  /**
   * Blocks of prompts that are not computed yet, with the number of prompts: they will be cached in
   * time.
   */
  readonly #coming = new Map<number, number>();
  /** The number of blocks that each waiting job will find cached. */
  readonly #depths = new Map<Job, number>();

  constructor(worker: Worker) {
    this.#worker = worker;
  }

  firstTokenS(job: Job, nowS: number): number {
    const { running, waiting, stepEndS, contextTokens } = this.#worker;
    const { inputTokens } = job.ask;
    const cached = this.#depth(job) * BLOCK_TOKENS;
    let aheadS = 0;
    let tokens = inputTokens - cached;
    for (const one of running) {
      if (one.generated > 0) continue;
      aheadS += prefillS(one.computed + one.piece, one.job.ask.inputTokens);
      tokens += one.job.ask.inputTokens - one.computed;
    }
    let blocks = wholeBlocks(job) - cached / BLOCK_TOKENS;
    for (const one of waiting) {
      const depth = (this.#depths.get(one) ?? 0) * BLOCK_TOKENS;
      aheadS += prefillS(depth, one.ask.inputTokens);
      tokens += one.ask.inputTokens - depth;
      blocks += wholeBlocks(one);
    }
    const stepS = stepEndS === null ? 0 : stepEndS - nowS;
    const steps = Math.ceil(tokens / STEP_TOKENS_MAX);
    return (
      stepS +
      aheadS +
      prefillS(cached, inputTokens) +
      steps * (STEP_S + CONTEXT_TOKEN_S * contextTokens) +
      this.#memoryS(blocks)
    );
  }

  took(job: Job): void {
    this.#depths.set(job, this.#depth(job));
    for (const id of job.ask.blocks) this.#coming.set(id, (this.#coming.get(id) ?? 0) + 1);
  }

  computed(job: Job): void {
    this.#depths.delete(job);
    for (const id of job.ask.blocks) {
      const left = (this.#coming.get(id) ?? 0) - 1;
      if (left > 0) this.#coming.set(id, left);
      else this.#coming.delete(id);
    }
  }

  /** The leading blocks that are cached here, or will be when the job starts. */
  #depth(job: Job): number {
    const { blocks } = job.ask;
    const limit = reusableBlocks(job.ask);
    let depth = 0;
    while (depth < limit) {
      const id = blocks[depth] as number;
      if (!this.#worker.pool.has(id) && !this.#coming.has(id)) break;
      depth++;
    }
    return depth;
  }

  /** The approximate time until this many blocks are available, as running requests end. */
  #memoryS(blocks: number): number {
    let available = this.#worker.pool.available;
    if (available >= blocks) return 0;
    const endings = this.#worker.running
      .map((one) => ({ inS: remainingS(one), blocks: wholeBlocks(one.job) }))
      .toSorted((a, b) => a.inS - b.inS || a.blocks - b.blocks);
    let waitS = 0;
    for (const ending of endings) {
      available += ending.blocks;
      waitS = ending.inS;
      if (available >= blocks) break;
    }
    return waitS;
  }
}

function remainingS(one: Running): number {
  const { inputTokens, outputTokens } = one.job.ask;
  return (outputTokens - one.generated) * DECODE_STEP_S + prefillS(one.computed, inputTokens);
}

function wholeBlocks({ ask }: Job): number {
  return Math.floor((ask.inputTokens + ask.outputTokens) / BLOCK_TOKENS) + 1;
}
