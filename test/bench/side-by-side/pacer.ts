/**
 * Calls each of many steps on time with one timer. Time is cut into ticks of a millisecond, and a
 * ring of ticks holds what is due in each.
 */
const TICKS = 2048;
/** A tick that is later than this is counted as late. */
const LATE_MS = 5;

export type Lateness = Readonly<{ steps: number; late: number; mostMs: number }>;

/** Returns the milliseconds until the next step, or null after the last one. */
export type Step = () => number | null;

export class Pacer {
  readonly #ring: { step: Step; dueMs: number }[][] = Array.from({ length: TICKS }, () => []);
  #waiting = 0;
  /** The next tick that has not been run. */
  #tick = 0;
  #steps = 0;
  #late = 0;
  #mostMs = 0;

  /** Calls a step after some milliseconds, and then as often as it says. */
  start(step: Step, afterMs: number): void {
    const now = performance.now();
    if (this.#waiting === 0) {
      this.#tick = Math.floor(now);
      this.#wait();
    }
    this.#place(step, now + afterMs);
  }

  /** How late the steps were since the last call. */
  takeLateness(): Lateness {
    const told = { steps: this.#steps, late: this.#late, mostMs: this.#mostMs };
    this.#steps = 0;
    this.#late = 0;
    this.#mostMs = 0;
    return told;
  }

  #place(step: Step, dueMs: number): void {
    // A step that is overdue comes with the next tick, because its own has been run.
    const tick = Math.max(Math.ceil(dueMs), this.#tick);
    if (tick >= this.#tick + TICKS) throw new Error(`a step more than ${TICKS} ms ahead`);
    this.#ring[tick % TICKS]?.push({ step, dueMs });
    this.#waiting++;
  }

  #wait(): void {
    setTimeout(() => this.#run(), 1);
  }

  #run(): void {
    const now = performance.now();
    while (this.#tick <= now) {
      const due = this.#ring[this.#tick % TICKS] ?? [];
      this.#ring[this.#tick % TICKS] = [];
      this.#tick++;
      for (const { step, dueMs } of due) this.#call(step, dueMs, now);
    }
    if (this.#waiting > 0) this.#wait();
  }

  #call(step: Step, dueMs: number, now: number): void {
    const lateMs = now - dueMs;
    this.#waiting--;
    this.#steps++;
    if (lateMs > LATE_MS) this.#late++;
    this.#mostMs = Math.max(this.#mostMs, lateMs);
    const next = step();
    if (next !== null) this.#place(step, dueMs + next);
  }
}
