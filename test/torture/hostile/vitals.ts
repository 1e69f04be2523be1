/** How a router fares: how late its event loop is, and what memory is its own. */
import { readFile } from 'node:fs/promises';
import type { Router } from '../fleet.ts';

const EVERY_MS = 10_000;
const LAG_P99 = /^penstock_router_nodejs_eventloop_lag_p99_seconds (\S+)$/m;
const LAG_MAX = /^penstock_router_nodejs_eventloop_lag_max_seconds (\S+)$/m;
const PSS_KB = /^Pss:\s+(\d+) kB$/m;

/** One look; the lags are of the time since the look before. */
type Look = Readonly<{ lagP99Ms: number; lagMaxMs: number; pssMb: number }>;

export class Vitals implements Disposable {
  readonly looks: Look[] = [];
  /** Looks that the router did not answer. */
  missed = 0;
  readonly #router: Router;
  readonly #timer: NodeJS.Timeout;

  private constructor(router: Router) {
    this.#router = router;
    this.#timer = setInterval(() => void this.look(), EVERY_MS);
  }

  /** Looks at it from now on. */
  static async of(router: Router): Promise<Vitals> {
    const vitals = new Vitals(router);
    // What was before is not to be told.
    await vitals.look();
    vitals.looks.pop();
    return vitals;
  }

  /** One look now, beside those that come by themselves. */
  async look(): Promise<void> {
    try {
      const answer = await fetch(this.#router.metricsUrl, {
        signal: AbortSignal.timeout(EVERY_MS),
      });
      const page = await answer.text();
      const rollup = await readFile(`/proc/${this.#router.process.pid}/smaps_rollup`, 'utf8');
      this.looks.push({
        lagP99Ms: Number(LAG_P99.exec(page)?.[1]) * 1_000,
        lagMaxMs: Number(LAG_MAX.exec(page)?.[1]) * 1_000,
        pssMb: Number(PSS_KB.exec(rollup)?.[1]) / 1024,
      });
    } catch {
      // The router is gone, or does not answer for as long as a look may take.
      this.missed += 1;
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/** The `share` quantile of what was seen, by rank. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
