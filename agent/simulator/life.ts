/** Whether the simulated engine is alive; when it dies, every open response ends where it is. */
import type { Clock, Timer } from '../../shared/clock.ts';

export class Life {
  readonly #clock: Clock;
  readonly #open = new Set<() => void>();
  #alive = true;
  #revival: Timer | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** `cut` runs if the engine dies before `done` is called. */
  watch(cut: () => void): { done: () => void } {
    this.#open.add(cut);
    return { done: () => this.#open.delete(cut) };
  }

  die(forMs: number | undefined): void {
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
