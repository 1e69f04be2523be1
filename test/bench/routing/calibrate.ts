/**
 * Finds the highest rate of a trace that a fleet can take: the rate at which the oracle's mean TTFT
 * is three times its unloaded one.
 */
import type { Trial } from './plan.ts';
import type { Trace } from './trace/trace.ts';
import { runTrial } from './trial.ts';

const TIMES_UNLOADED = 3;
/** Slow enough for about one request at a time. */
const UNLOADED_PER_WORKER_S = 0.03;
/**
 * No engine can take this rate. A trace whose queues still do not grow has not reached its rate.
 */
const RATE_PER_WORKER_MAX = 1000;
const PRECISION = 0.01;
/**
 * The factor between steps of the search. Far beyond the limit, queues and runs become very long.
 */
const STRIDE = 1.4;

export function findRateMax(
  trace: Trace,
  fleet: Pick<Trial, 'workers' | 'blocks' | 'requestsMax'>,
): number {
  const meanAt = (requestsPerS: number) => {
    const one = { trace: trace.name, policy: 'oracle', routers: 1, talk: 'silent' } as const;
    return runTrial({ ...fleet, ...one, requestsPerS, seed: 1 }, trace).ttftMeanS;
  };
  const unloaded = fleet.workers * UNLOADED_PER_WORKER_S;
  const limitS = TIMES_UNLOADED * meanAt(unloaded);
  let low = unloaded;
  let high = unloaded * STRIDE;
  while (meanAt(high) <= limitS) {
    low = high;
    high *= STRIDE;
    if (high > fleet.workers * RATE_PER_WORKER_MAX) {
      throw new Error(`no rate is too high for ${trace.name}: give one by --rate`);
    }
  }
  while (high / low > 1 + PRECISION) {
    const middle = Math.sqrt(low * high);
    if (meanAt(middle) <= limitS) low = middle;
    else high = middle;
  }
  return low;
}
