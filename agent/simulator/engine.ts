/** Drives the scheduler with a clock: one timer for the step of all requests. */
import type { Clock, Timer } from '../../shared/clock.ts';
import type { Scheduler } from './scheduler.ts';
import type { Generation, Sequence } from './sequence.ts';

/** After a step that ended late, the following steps are shortened, by this much at most. */
const CATCH_UP_MS_MAX = 50;

export class Engine implements Disposable {
  readonly scheduler: Scheduler;
  readonly #clock: Clock;
  readonly #afterStep: () => void;
  #timer: Timer | null = null;
  #stepping = false;
  #stopped = false;
  /** When the current step ends, or the last one ended. */
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
    // The first waiting request may fit now.
    this.#wake();
  }

  resume(): void {
    this.scheduler.resume();
    this.#wake();
  }

  /** Stops the engine for good. No other step begins. */
  [Symbol.dispose](): void {
    this.#timer?.cancel();
    this.#stopped = true;
  }

  /** Begins a step, unless one is in progress. Its end begins the next one. */
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

  /** Waits for a request or for the end of a hold, because there is nothing to do now. */
  #sleep(now: number): void {
    const resumeMs = this.scheduler.nextResumeMs();
    this.#timer =
      resumeMs === Infinity ? null : this.#clock.after(resumeMs - now, () => this.#wake());
  }
}
