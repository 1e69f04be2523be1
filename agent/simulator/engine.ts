/**
 * Drives the scheduler on the clock: one timer for the step of all requests, none for a request.
 */
import type { Clock, Timer } from '../../shared/clock.ts';
import type { Scheduler } from './scheduler.ts';
import type { Generation, Sequence } from './sequence.ts';

/** A step that ended late is made up for by shorter ones, but only this much of it. */
const CATCH_UP_MS_MAX = 50;

export class Engine implements Disposable {
  readonly scheduler: Scheduler;
  readonly #clock: Clock;
  readonly #afterStep: () => void;
  #timer: Timer | null = null;
  #stepping = false;
  #stopped = false;
  /** When the step under way ends, or the last one ended. */
  #dueMs = 0;

  constructor(scheduler: Scheduler, clock: Clock, afterStep: () => void = () => {}) {
    this.scheduler = scheduler;
    this.#clock = clock;
    this.#afterStep = afterStep;
  }

  submit(generation: Generation): Sequence {
    const sequence = this.scheduler.submit(generation, this.#clock.monotonic());
    this.#wake();
    return sequence;
  }

  abort(sequence: Sequence): void {
    this.scheduler.abort(sequence);
    // A head of the queue that did not fit may fit now.
    this.#wake();
  }

  resume(): void {
    this.scheduler.resume();
    this.#wake();
  }

  /** Stops for good: no step is begun any more. */
  [Symbol.dispose](): void {
    this.#timer?.cancel();
    this.#stopped = true;
  }

  /** Begins a step, unless one is under way: its end begins the next. */
  #wake(): void {
    if (this.#stepping || this.#stopped) return;
    this.#timer?.cancel();
    this.#dueMs = this.#clock.monotonic();
    this.#step();
  }

  #step(): void {
    const now = this.#clock.monotonic();
    const step = this.scheduler.begin(now);
    this.#stepping = step !== null;
    if (!step) return this.#sleep(now);
    this.#dueMs = Math.max(this.#dueMs, now - CATCH_UP_MS_MAX) + step.durationMs;
    this.#timer = this.#clock.after(Math.max(0, this.#dueMs - now), () => {
      this.scheduler.complete(step, this.#clock.monotonic());
      this.#afterStep();
      this.#step();
    });
  }

  /** Nothing can be done now: wait for a submission, or for the end of a hold. */
  #sleep(now: number): void {
    const resumeMs = this.scheduler.nextResumeMs();
    this.#timer =
      resumeMs === Infinity ? null : this.#clock.after(resumeMs - now, () => this.#wake());
  }
}
