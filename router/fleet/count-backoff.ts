/**
 * Backs off from workers that cannot or will not count tokens, so that others count instead. A text
 * may be the reason, for example a chat that the template rejects, so each organization has pauses
 * of its own.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../shared/clock.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import type { Worker } from './worker.ts';

/** The pause after a text that was not counted: `least` first, doubled each time, up to `most`. */
const PAUSE_MS = { least: 5_000, most: 10 * 60 * 1000 } as const;
const PAUSES_MAX = 4_096;

/** Whose texts they are: an organization's, or a sample of everybody's. */
type Asker = OrganizationId | 'audit';

export class CountBackoff {
  readonly #clock: Clock;
  /** By asker and worker: until when the worker is not asked, and that pause in ms. */
  readonly #pauses = new LRUCache<string, { until: number; ms: number }>({ max: PAUSES_MAX });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The number of pauses that are not over. */
  get pauses(): number {
    const now = this.#clock.monotonic();
    let open = 0;
    for (const { until } of this.#pauses.values()) if (until > now) open += 1;
    return open;
  }

  isPaused(worker: Worker, asker: Asker): boolean {
    return (this.#pauses.get(nameOf(worker, asker))?.until ?? 0) > this.#clock.monotonic();
  }

  note(worker: Worker, asker: Asker, didCount: boolean): void {
    const name = nameOf(worker, asker);
    if (didCount) {
      this.#pauses.delete(name);
      return;
    }
    const before = this.#pauses.get(name)?.ms ?? PAUSE_MS.least / 2;
    const ms = Math.min(before * 2, PAUSE_MS.most);
    this.#pauses.set(name, { until: this.#clock.monotonic() + ms, ms });
  }
}

function nameOf({ id }: Worker, asker: Asker): string {
  return `${asker} ${id}`;
}
