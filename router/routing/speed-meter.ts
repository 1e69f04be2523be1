/**
 * Measures the speed of one worker: the seconds in which it had prefills pending, relative to the
 * seconds that those prefills were expected to take.
 */
import type { InFlightRequest } from './in-flight-request.ts';
import { Speed } from './speed.ts';

/** A measurement ends when the worker has nothing pending, or after this time while it is busy. */
const BUSY_SECONDS = 10;
/** A measurement counts only over more than this much expected prefill. */
const PREFILL_SECONDS_MIN = 0.5;

export class SpeedMeter {
  readonly speed = new Speed();
  #since = 0;
  /** Expected seconds of the prefills that have finished since then. */
  #prefillSeconds = 0;

  /** Begins a measurement, because the worker was idle and gets a request now. */
  begin(now: number): void {
    this.#since = now;
    this.#prefillSeconds = 0;
  }

  /** Records a finished prefill. `isIdle` says whether no other request is pending. */
  finished(now: number, request: InFlightRequest, isIdle: boolean): void {
    this.#prefillSeconds += request.prefillSeconds;
    const isDue = isIdle || now - this.#since > BUSY_SECONDS;
    if (!isDue || this.#prefillSeconds <= PREFILL_SECONDS_MIN) return;
    // An echo is the report of one agent, so the workers of other agents do not learn from it.
    const pool = request.foreign ? [] : [...request.model.speeds];
    this.speed.update((now - this.#since) / this.#prefillSeconds, pool);
    this.begin(now);
  }
}
