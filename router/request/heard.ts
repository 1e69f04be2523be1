/** Hot path. Records when and how much an attempt's worker has sent. Times are monotonic, in ms. */
import type { Clock } from '../../shared/clock.ts';
import { overdue } from './deadlines.ts';
import type { Failure } from './failure.ts';

export class Heard {
  /** When the request was sent to the worker. */
  readonly begunAt: number;
  /** When the worker last sent something. */
  at: number;
  /** Whether the engine has accepted the request. */
  accepted = false;
  /**
   * When the first and the last delta could be written to the client: not before the hold covered
   * the prompt. Null before the first.
   */
  firstByteAt: number | null = null;
  lastByteAt: number | null = null;
  /** The cost of all deltas in the byte grant, whether the client has read them or not. */
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

  /** `cost` is the delta's cost in the byte grant. */
  delta(cost: number): void {
    this.bytes += cost;
    this.lastByteAt = this.at;
    this.firstByteAt ??= this.at;
  }

  /**
   * Records that the client reads again. Nothing could arrive while it did not read, so that time
   * does not count as the worker's silence.
   */
  resumed(): void {
    this.at = this.#clock.monotonic();
  }

  /** Returns the deadline that has passed, as `overdue` of deadlines.ts does. */
  overdue(now: number, arrived: number, stalledAt: number | null): Failure | 'stalled' | null {
    const { begunAt, at: heardAt, accepted } = this;
    return overdue(now, { arrived, begunAt, heardAt, stalledAt, accepted });
  }
}
