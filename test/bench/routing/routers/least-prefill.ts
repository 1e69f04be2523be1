/**
 * Picks the worker with the fewest seconds of queued prefill, without knowledge of prefixes: the
 * product's default policy without its index. The router knows the engines' speed, and a prompt's
 * tokens as closely as any router does.
 */
import { prefillS } from '../model/costs.ts';
import type { Job } from '../model/job.ts';
import type { Timeline } from '../model/timeline.ts';
import type { Worker } from '../model/worker.ts';
import { BLOCK_TOKENS } from '../trace/trace.ts';
import { HEARS_NOTHING, type Router } from './router.ts';
import { mixed } from './prompt.ts';

/** Workers within this time of the best count as equal. */
const EQUAL_S = 0.02;
/**
 * The cost of a decoding context token, the assumed length of an answer, and the cost of full KV
 * memory.
 */
const CONTEXT_TOKEN_COST_S = 2e-6;
const OUTPUT_TOKENS = 300;
const KV_FREE_OF_CARE = 0.9;
const KV_COST_S = 10;

export function leastPrefill(
  parts: Readonly<{ fleet: readonly Worker[]; timeline: Timeline }>,
): Router {
  const queues = parts.fleet.map((worker) => new Queue(worker));
  const queueOf = (job: Job) => queues[job.worker] as Queue;
  return {
    ...HEARS_NOTHING,
    dispatch(job) {
      const costs = queues.map((queue) => queue.costS(job, parts.timeline.nowS));
      const picked = anchorOf(job, costs);
      queues[picked]?.add(job, parts.timeline.nowS);
      return picked;
    },
    firstToken: (job) => queueOf(job).began(job, parts.timeline.nowS),
    ended: (job) => queueOf(job).ended(job),
    readLoads() {
      for (const queue of queues) queue.read();
    },
  };
}

/** Among equally good workers, always picks the same one for a conversation. */
function anchorOf({ ask }: Job, costs: readonly number[]): number {
  const lot = ask.blocks[Math.min(1, ask.blocks.length - 1)] ?? ask.session;
  const most = Math.min(...costs) + EQUAL_S;
  const weights = costs.map((cost, at) => (cost <= most ? mixed(lot, at) : -1));
  return weights.indexOf(Math.max(...weights));
}

class Queue {
  readonly #worker: Worker;
  /** Jobs without a first token yet, oldest first. */
  readonly #pending: Job[] = [];
  #headAtS = 0;
  #contextTokens = 0;
  #usedTokens = 0;

  constructor(worker: Worker) {
    this.#worker = worker;
  }

  costS(job: Job, nowS: number): number {
    const [head] = this.#pending;
    const ahead = this.#pending.reduce((sum, one) => sum + workS(one), 0);
    const done = head ? Math.min(workS(head), nowS - this.#headAtS) : 0;
    const kvUse = (this.#usedTokens + tokensOf(job)) / (this.#worker.pool.size * BLOCK_TOKENS);
    const memory = KV_COST_S * Math.max(0, kvUse - KV_FREE_OF_CARE);
    return ahead - done + CONTEXT_TOKEN_COST_S * this.#contextTokens + memory;
  }

  add(job: Job, nowS: number): void {
    if (this.#pending.length === 0) this.#headAtS = nowS;
    this.#pending.push(job);
    this.#contextTokens += tokensOf(job);
    this.#usedTokens += tokensOf(job);
  }

  began(job: Job, nowS: number): void {
    const at = this.#pending.indexOf(job);
    if (at === 0) this.#headAtS = nowS;
    if (at >= 0) this.#pending.splice(at, 1);
  }

  ended(job: Job): void {
    this.#contextTokens -= tokensOf(job);
  }

  read(): void {
    const { size, available } = this.#worker.pool;
    this.#usedTokens = (size - available) * BLOCK_TOKENS;
  }
}

/** The tokens as a router estimates them, from characters. */
function promptTokens({ ask }: Job): number {
  return ask.inputTokens * ask.tokenError;
}

function tokensOf(job: Job): number {
  return promptTokens(job) + OUTPUT_TOKENS;
}

function workS(job: Job): number {
  return prefillS(0, promptTokens(job));
}
