/** Whether the simulated engine is alive. When it dies, every open response ends where it is. */
import type { Clock, Timer } from '../../shared/clock.ts';

export class Life {
  readonly #clock: Clock;
  readonly #open = new Set<() => void>();
  #alive = true;
  #revival: Timer | null = null;

  readonly #exit: () => void;

  /** `exit` ends the process. */
  constructor(clock: Clock, exit: () => void) {
    this.#clock = clock;
    this.#exit = exit;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** `cut` runs if the engine dies before `done` is called. */
  watch(cut: () => void): { done: () => void } {
    this.#open.add(cut);
    return { done: () => this.#open.delete(cut) };
  }

  die(how: { for_ms?: number | undefined; exit: boolean } | undefined): void {
    if (how?.exit) this.#exit();
    const forMs = how?.for_ms;
    this.#alive = false;
    this.#revival?.cancel();
    this.#revival = forMs === undefined ? null : this.#clock.after(forMs, () => this.revive());
    for (const cut of this.#open) cut();
    this.#open.clear();
  }

  revive(): void {
    this.#revival?.cancel();
    this.#alive = true;
  }
}
