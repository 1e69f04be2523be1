/**
 * A clock that does not move until a test advances it. Timers run inside `advance`, in the order in
 * which they are due.
 */
import type { Clock, Timer } from '../../shared/clock.ts';

interface Alarm {
  dueMs: number;
  readonly order: number;
  readonly everyMs: number | null;
  readonly run: () => void;
}

export class ManualClock implements Clock {
  #elapsedMs = 0;
  #order = 0;
  readonly #startMs: number;
  readonly #alarms = new Set<Alarm>();

  constructor(startMs: number = Date.UTC(2026, 0, 1)) {
    this.#startMs = startMs;
  }

  now(): number {
    return this.#startMs + Math.floor(this.#elapsedMs);
  }

  monotonic(): number {
    return this.#elapsedMs;
  }

  after(ms: number, run: () => void): Timer {
    return this.#set(ms, null, run);
  }

  every(ms: number, run: () => void): Timer {
    return this.#set(ms, ms, run);
  }

  /**
   * The number of timers that are set. Tests use it to see that the code is waiting now, and to
   * find leaked timers.
   */
  get timers(): number {
    return this.#alarms.size;
  }

  /** Advances the clock by `ms`. A timer that is set on the way also runs, if it is due by then. */
  advance(ms: number): void {
    const until = this.#elapsedMs + ms;
    for (;;) {
      const alarm = this.#next();
      if (!alarm || alarm.dueMs > until) break;
      this.#elapsedMs = Math.max(this.#elapsedMs, alarm.dueMs);
      // An interval of 0 ms counts as 1 ms. Otherwise `advance` would never return.
      if (alarm.everyMs === null) this.#alarms.delete(alarm);
      else alarm.dueMs += Math.max(1, alarm.everyMs);
      alarm.run();
    }
    this.#elapsedMs = until;
  }

  #set(ms: number, everyMs: number | null, run: () => void): Timer {
    const alarm = { dueMs: this.#elapsedMs + Math.max(0, ms), order: this.#order++, everyMs, run };
    this.#alarms.add(alarm);
    return { cancel: () => this.#alarms.delete(alarm) };
  }

  #next(): Alarm | undefined {
    let first: Alarm | undefined;
    for (const alarm of this.#alarms) {
      if (!first || alarm.dueMs < first.dueMs) first = alarm;
      else if (alarm.dueMs === first.dueMs && alarm.order < first.order) first = alarm;
    }
    return first;
  }
}
