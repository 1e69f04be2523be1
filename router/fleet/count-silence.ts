/** Backs off from workers that cannot or will not count tokens, so that others count instead. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../shared/clock.ts';
import type { Worker } from './worker.ts';

/** The pause for a worker that did not count: `least` first, doubled each time, up to `most`. */
const SILENT_MS = { least: 5_000, most: 10 * 60 * 1000 } as const;
const WORKERS_MAX = 4_096;

export class CountSilence {
  readonly #clock: Clock;
  /** Workers that did not count: until when they are not asked, and that pause in ms. */
  readonly #silent = new LRUCache<string, { until: number; ms: number }>({ max: WORKERS_MAX });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isSilent({ id }: Worker): boolean {
    return (this.#silent.get(id)?.until ?? 0) > this.#clock.monotonic();
  }

  note({ id }: Worker, didCount: boolean): void {
    if (didCount) {
      this.#silent.delete(id);
      return;
    }
    const before = this.#silent.get(id)?.ms ?? SILENT_MS.least / 2;
    const ms = Math.min(before * 2, SILENT_MS.most);
    this.#silent.set(id, { until: this.#clock.monotonic() + ms, ms });
  }
}
