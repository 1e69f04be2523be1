/** Reports the load of the engines to one router: after each change, and once a second. */
import type { Clock, Timer } from '../shared/clock.ts';
import { fromAgentBounds, limits, loadTotals } from '../shared/limits.ts';
import type { Load, WorkerLoad } from '../shared/wire/messages.ts';

/** The rest of a message, around the `workers` list, takes fewer bytes than this. */
const FRAME_BYTES = 64;
const LOAD_BYTES_MAX = fromAgentBounds.bytesMax.load - FRAME_BYTES;
/** The shortest time between two reports that changes cause. */
const REPORT_GAP_MS = 100;
/** The byte rate of such reports: a quarter of what a router accepts for all control messages. */
const REPORT_BYTES_PER_SECOND = fromAgentBounds.bytes.perSecond / 4;

export class LoadReporter implements Disposable {
  readonly #clock: Clock;
  readonly #workers: () => WorkerLoad[];
  readonly #send: (load: Load) => void;
  readonly #timer: Timer;
  #soon: Timer | null = null;
  #sentAt = Number.NEGATIVE_INFINITY;
  #sent = '';

  constructor(clock: Clock, workers: () => WorkerLoad[], send: (load: Load) => void) {
    this.#clock = clock;
    this.#workers = workers;
    this.#send = send;
    this.#timer = clock.every(limits.loadReportMs, () => this.#report(true));
  }

  /** Call this after a change. Sends a report at once, or as soon as the rate allows. */
  changed(): void {
    if (this.#soon) return;
    const gapMs = Math.max(REPORT_GAP_MS, (this.#sent.length / REPORT_BYTES_PER_SECOND) * 1000);
    const due = this.#sentAt + gapMs - this.#clock.monotonic();
    if (due <= 0) return this.#report(false);
    this.#soon = this.#clock.after(due, () => {
      this.#soon = null;
      this.#report(false);
    });
  }

  [Symbol.dispose](): void {
    this.#timer.cancel();
    this.#soon?.cancel();
  }

  #report(always: boolean): void {
    const workers = boundLoads(this.#workers());
    const text = JSON.stringify(workers);
    if (!always && text === this.#sent) return;
    this.#sent = text;
    this.#sentAt = this.#clock.monotonic();
    this.#send({ type: 'load', workers });
  }
}

/**
 * Cuts the reports to what a router accepts. Each list is cut to its total in `loadTotals`. If the
 * message is still too large, `gpus` and `notes` are dropped, because only operators need them.
 */
export function boundLoads(workers: readonly WorkerLoad[]): WorkerLoad[] {
  const left: Record<keyof typeof loadTotals, number> = { ...loadTotals };
  const within = <Item>(list: keyof typeof left, items: readonly Item[]): Item[] => {
    const kept = items.slice(0, left[list]);
    left[list] -= kept.length;
    return kept;
  };
  const bounded = workers.map((worker) => ({
    ...worker,
    models: within('models', worker.models),
    gpus: within('gpus', worker.gpus),
    notes: within('notes', worker.notes),
  }));
  if (Buffer.byteLength(JSON.stringify(bounded)) < LOAD_BYTES_MAX) return bounded;
  return bounded.map((worker) => ({ ...worker, gpus: [], notes: [] }));
}
