/**
 * A rate limit on the load reports of one session. A newer report replaces an older one entirely,
 * so when reports come too fast only the newest is read. A link that was stalled also delivers
 * many at once.
 */
import { AllowedRate } from '../../shared/bounds/allowed-rate.ts';
import type { Clock, Timer } from '../../shared/clock.ts';
import { limits } from '../../shared/limits.ts';

export class LoadReportLimiter {
  readonly #clock: Clock;
  readonly #read: (report: Buffer) => void;
  readonly #reports: AllowedRate;
  readonly #bytes: AllowedRate;
  /** The newest report that has not been read. */
  #waiting: Buffer | null = null;
  #timer: Timer | null = null;

  constructor(clock: Clock, read: (report: Buffer) => void) {
    this.#clock = clock;
    this.#read = read;
    this.#reports = new AllowedRate(clock, limits.linkLoads.reports);
    this.#bytes = new AllowedRate(clock, limits.linkLoads.bytes);
  }

  take(report: Buffer): void {
    this.#waiting = report;
    if (this.#timer === null) this.#readOrWait();
  }

  /** Drops the waiting report. Called when the session ends. */
  end(): void {
    this.#timer?.cancel();
    this.#waiting = null;
  }

  #readOrWait(): void {
    this.#timer = null;
    const report = this.#waiting;
    if (report === null) return;
    if (this.#bytes.spend(report.length) && this.#reports.spend(1)) {
      this.#waiting = null;
      return this.#read(report);
    }
    this.#timer = this.#clock.after(limits.linkLoads.againMs, () => this.#readOrWait());
  }
}
