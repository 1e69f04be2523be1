/**
 * What a cell of the fleet's history holds, in one array of numbers: counts, sums of sampled gauges,
 * and two histograms. Everything adds up, over minutes and over routers.
 */
import { BUCKETS } from '../usage/rollups/histogram.ts';

/** Requests, or the attempts of a worker, by how they ended. */
export const ANSWERED = 0;
export const CANCELLED = 1;
/** With a status of 4xx, except 429. */
export const REFUSED = 2;
/** With 429: a rate limit or a cap of spend. */
export const LIMITED = 3;
/** With 503; of a worker: it had no room. */
export const UNAVAILABLE = 4;
/** With any other 5xx; of a worker: it failed. */
export const FAILED = 5;
export const OUTCOMES = 6;

/** Billed tokens. */
export const PROMPT = 6;
export const CACHED = 7;
export const COMPLETION = 8;

/**
 * Samples that routers with a listener of the region took, and in how many a worker could serve. In
 * a cell of an hour they are time: see sampled-time.ts.
 */
export const LISTENED = 9;
export const SERVED = 10;
/** Requests that waited for a worker in a router, times the seconds until the next sample. */
export const QUEUED = 11;

/**
 * Samples of the workers of the region. The gauges below are sums over these samples, and each
 * sample is a sum over workers, so that a gauge divided by the samples is a mean over time.
 */
export const SAMPLES = 12;
export const WORKERS = 13;
export const READY = 14;
export const SLOTS = 15;
export const RUNNING = 16;
export const WAITING = 17;
/** In thousandths of a KV cache. */
export const KV_USE = 18;
export const GPUS = 19;
/** In thousandths of a GPU, and of its memory. */
export const GPU_USE = 20;
export const GPU_MEMORY = 21;
/** How many places the counts and gauges take. The histograms follow. */
export const COUNTS = GPU_MEMORY + 1;

/** Time to first token in ms. */
export const TTFT = GPU_MEMORY + 1;
/** Tokens per second of one answer, times `SPEED_SCALE`. */
export const SPEED = TTFT + BUCKETS;
export const SPEED_SCALE = 10;
const LENGTH = SPEED + BUCKETS;

export type Figures = Float64Array;

export const noFigures = (): Figures => new Float64Array(LENGTH);

export function bump(figures: Figures, at: number, by: number): void {
  figures[at] = (figures[at] as number) + by;
}

/** How a request ended, by its status. */
export function outcomeOf(status: number): number {
  if (status < 400) return ANSWERED;
  if (status === 499) return CANCELLED;
  if (status === 429) return LIMITED;
  if (status < 500) return REFUSED;
  return status === 503 ? UNAVAILABLE : FAILED;
}
