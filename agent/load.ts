/** Tells one router how busy the agent's engines are: when anything changes, and at least each second. */
import type { Clock, Timer } from '../shared/clock.ts';
import { limits } from '../shared/limits.ts';
import type { Load, WorkerLoad } from '../shared/wire/messages.ts';

/** No more often than this, however much changes. */
const REPORT_GAP_MS = 100;

export class LoadReporter implements Disposable {
  readonly #clock: Clock;
  readonly #workers: () => WorkerLoad[];
  readonly #send: (load: Load) => void;
  readonly #beat: Timer;
  #soon: Timer | null = null;
  #sentAt = Number.NEGATIVE_INFINITY;
  #sent = '';

  constructor(clock: Clock, workers: () => WorkerLoad[], send: (load: Load) => void) {
    this.#clock = clock;
    this.#workers = workers;
    this.#send = send;
    this.#beat = clock.every(limits.loadReportMs, () => this.#report(true));
  }

  /** Something may have changed: says so at once, or as soon as it may. */
  changed(): void {
    if (this.#soon) return;
    const due = this.#sentAt + REPORT_GAP_MS - this.#clock.monotonic();
    if (due <= 0) return this.#report(false);
    this.#soon = this.#clock.after(due, () => {
      this.#soon = null;
      this.#report(false);
    });
  }

  [Symbol.dispose](): void {
    this.#beat.cancel();
    this.#soon?.cancel();
  }

  #report(always: boolean): void {
    const workers = this.#workers();
    const text = JSON.stringify(workers);
    if (!always && text === this.#sent) return;
    this.#sent = text;
    this.#sentAt = this.#clock.monotonic();
    this.#send({ type: 'load', workers });
  }
}
