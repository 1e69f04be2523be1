/** The vital signs of a router: its event loop lag and its private memory. */
import type { Router } from '../fleet.ts';
import { pssBytes } from '../process-figures.ts';

const EVERY_MS = 10_000;
const LAG_P99 = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m;
const LAG_MAX = /^nodejs_eventloop_lag_max_seconds (\S+)$/m;

/** Covers the time since the lag was last read. */
export type Lag = Readonly<{ p99Ms: number; maxMs: number }>;

/**
 * Samples the memory every ten seconds. The lag is read on request, because each read of the
 * metrics resets it.
 */
export class Vitals implements Disposable {
  readonly megabytes: number[] = [];
  /** Samples to which the router did not answer. */
  missed = 0;
  readonly #router: Router;
  readonly #timer: NodeJS.Timeout;

  constructor(router: Router) {
    this.#router = router;
    this.#timer = setInterval(() => void this.look(), EVERY_MS);
  }

  /** Takes one sample now, in addition to the periodic ones. */
  async look(): Promise<void> {
    try {
      const { origin, process } = this.#router;
      const alive = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(EVERY_MS) });
      await alive.text();
      this.megabytes.push((await pssBytes(process.pid)) / 2 ** 20);
    } catch {
      // The router is gone, or did not answer within the time of a sample.
      this.missed += 1;
    }
  }

  async lag(): Promise<Lag> {
    try {
      const answer = await fetch(this.#router.metricsUrl, {
        signal: AbortSignal.timeout(EVERY_MS),
      });
      const page = await answer.text();
      const ms = (figure: RegExp) => Number(figure.exec(page)?.[1]) * 1_000;
      return { p99Ms: ms(LAG_P99), maxMs: ms(LAG_MAX) };
    } catch {
      this.missed += 1;
      return { p99Ms: Number.NaN, maxMs: Number.NaN };
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/** Returns the `share` quantile of the values, by rank. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
