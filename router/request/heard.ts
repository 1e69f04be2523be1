/** Hot path. What has been heard of an attempt by its worker, and when. Times are ms of the monotonic clock. */
import type { Clock } from '../../shared/clock.ts';

export class Heard {
  /** When the worker was given the request. */
  readonly begunAt: number;
  /** When anything last came of it. */
  at: number;
  /** Whether the engine has taken it. */
  accepted = false;
  /** Of the first delta and the last one; null before them. */
  firstByteAt: number | null = null;
  lastByteAt: number | null = null;
  /** What the deltas that came have cost of the byte grant, whether or not the client took them. */
  bytes = 0;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.begunAt = clock.monotonic();
    this.at = this.begunAt;
  }

  record(): void {
    this.at = this.#clock.monotonic();
    this.accepted = true;
  }

  /** `cost`: of the byte grant. */
  delta(cost: number): void {
    this.bytes += cost;
    this.lastByteAt = this.at;
    this.firstByteAt ??= this.at;
  }

  /** Nothing could come while the client did not read: the worker is not silent since before. */
  resumed(): void {
    this.at = this.#clock.monotonic();
  }
}
