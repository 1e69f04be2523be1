/**
 * A clock that does not move until a test advances it. Timers run inside `advance`, in the order in
 * which they are due.
 */
import type { Clock, Timer } from '../../shared/clock.ts';

/**
 * An interval runs at most this often in one `advance`. Nothing that a test awaits happens on the way,
 * so the 35 million runs of 100 ms in 40 days only cost time.
 */
const RUNS_MAX = 1000;

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
    const runs = new Map<Alarm, number>();
    for (;;) {
      const alarm = this.#next();
      if (!alarm || alarm.dueMs > until) break;
      this.#elapsedMs = Math.max(this.#elapsedMs, alarm.dueMs);
      const run = (runs.get(alarm) ?? 0) + 1;
      runs.set(alarm, run);
      if (alarm.everyMs === null) this.#alarms.delete(alarm);
      else alarm.dueMs = nextDue(alarm.dueMs, alarm.everyMs, run < RUNS_MAX ? alarm.dueMs : until);
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

/** Returns the first time of an interval that is later than `after`. */
function nextDue(dueMs: number, everyMs: number, after: number): number {
  // An interval of 0 ms counts as 1 ms. Otherwise `advance` would never return.
  const step = Math.max(1, everyMs);
  return dueMs + step * (Math.floor((after - dueMs) / step) + 1);
}
