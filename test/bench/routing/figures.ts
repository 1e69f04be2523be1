/** The results of a run, over the requests after the warm-up. */
import type { Job } from './model/job.ts';
import type { Worker } from './model/worker.ts';
import { BLOCK_TOKENS } from './trace/trace.ts';

/** A first token within this time counts as good. */
const GOOD_TTFT_S = 2;
/** The share of a run's time that only fills queues and caches. */
const WARM_UP = 0.2;

export type Figures = Readonly<{
  requests: number;
  /** The share of prompt tokens that engines had cached. */
  hitRate: number;
  /**
   * The mean difference between the share of a prompt that was expected to be cached and the share
   * that was. NaN for a router that expects nothing.
   */
  cacheError: number;
  ttftMeanS: number;
  ttftP50S: number;
  ttftP90S: number;
  ttftP99S: number;
  /** The share of requests with a first token within two seconds. */
  goodput: number;
  /** The fullest worker's requests divided by the mean, sampled each second. */
  imbalance: number;
  /** The highest memory of one router's index. */
  indexBytes: number;
  /**
   * The median real time of one decision, including bookkeeping. A median, because the machine may
   * do other work.
   */
  decisionNs: number;
}>;

export function warmUpEndS(jobs: readonly Job[]): number {
  return (jobs.at(-1)?.ask.atS ?? 0) * WARM_UP;
}

export type Measured = Pick<Figures, 'imbalance' | 'indexBytes' | 'decisionNs'>;

export function figuresOf(jobs: readonly Job[], measured: Measured): Figures {
  const warm = jobs.filter(({ ask }) => ask.atS >= warmUpEndS(jobs));
  const ttfts = Float64Array.from(warm, (job) => job.firstTokenS - job.ask.atS).toSorted();
  const good = ttfts.reduce((count, ttft) => count + (ttft < GOOD_TTFT_S ? 1 : 0), 0);
  return {
    requests: warm.length,
    hitRate: sum(warm, (job) => job.hitBlocks * BLOCK_TOKENS) / sum(warm, inputTokens),
    cacheError: cacheErrorOf(warm),
    ttftMeanS: sum(ttfts, (ttft) => ttft) / ttfts.length,
    ttftP50S: quantile(ttfts, 0.5),
    ttftP90S: quantile(ttfts, 0.9),
    ttftP99S: quantile(ttfts, 0.99),
    goodput: good / ttfts.length,
    ...measured,
  };
}

function cacheErrorOf(jobs: readonly Job[]): number {
  const errors = jobs.flatMap(({ ask, hitBlocks, expectedShare }) => {
    if (expectedShare === null) return [];
    return Math.abs(expectedShare - (hitBlocks * BLOCK_TOKENS) / ask.inputTokens);
  });
  return sum(errors, (error) => error) / errors.length;
}

/** Returns null while no request is in flight. */
export function imbalanceOf(workers: readonly Worker[]): number | null {
  const inFlight = workers.map((worker) => worker.inFlight);
  const total = sum(inFlight, (count) => count);
  return total === 0 ? null : (Math.max(...inFlight) * workers.length) / total;
}

/** The median of several runs, taken for each figure separately. */
export function medianOf(runs: readonly Figures[]): Figures {
  const [first] = runs;
  if (!first) throw new Error('the median of nothing');
  const names = Object.keys(first) as (keyof Figures)[];
  const medians = names.map((name) => [name, median(runs.map((run) => run[name]))]);
  return Object.fromEntries(medians) as Figures;
}

/** Returns 0 for an empty list. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1] as number;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[sorted.length / 2 - 1] as number)) / 2;
}

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function inputTokens({ ask }: Job): number {
  return ask.inputTokens;
}

function sum<T>(values: Iterable<T>, of: (value: T) => number): number {
  let total = 0;
  for (const value of values) total += of(value);
  return total;
}
