/** How late the event loop of this process is. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * How often the event loop is sampled. Each sample wakes an idle process: at 20 ms, samples were half of
 * the CPU time of an idle agent. All that sample it, prom-client too, do it at this interval, because
 * timers of one interval soon run in the same turn.
 */
export const LOOP_SAMPLE_MS = 50;

const NANOSECONDS_PER_MS = 1e6;

export class LoopDelay implements Disposable {
  readonly #samples = monitorEventLoopDelay({ resolution: LOOP_SAMPLE_MS });

  constructor() {
    this.#samples.enable();
  }

  /** Returns a percentile of the delays since the last call, in ms. 100 is the longest. */
  take(percentile: number): number {
    // What is measured is the time from one sample to the next, which includes the interval.
    const ms = this.#samples.percentile(percentile) / NANOSECONDS_PER_MS - LOOP_SAMPLE_MS;
    this.#samples.reset();
    return Math.max(0, ms);
  }

  [Symbol.dispose](): void {
    this.#samples.disable();
  }
}
