import type { Clock } from '../../../shared/clock.ts';

/**
 * A value that is expensive to make. It is made when it is asked for and older than `msMax`, and
 * only once at a time: everybody who asks meanwhile waits for the same one.
 */
export class Kept<Value> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #msMax: number;
  readonly #make: () => Promise<Value>;
  #last: Readonly<{ value: Value; madeAt: number }> | null = null;
  #making: Promise<Value> | null = null;
  /** How often the value was forgotten. */
  #turn = 0;

  constructor(clock: Pick<Clock, 'monotonic'>, msMax: number, make: () => Promise<Value>) {
    this.#clock = clock;
    this.#msMax = msMax;
    this.#make = make;
  }

  /** Rejects if the value cannot be made. The next call tries again. */
  async get(): Promise<Value> {
    const last = this.#last;
    if (last && this.#clock.monotonic() - last.madeAt < this.#msMax) return last.value;
    this.#making ??= this.#makeAgain(this.#turn);
    return await this.#making;
  }

  /** Whoever asks from now on gets a new value. */
  forget(): void {
    this.#turn += 1;
    this.#last = null;
    this.#making = null;
  }

  /** `turn`: a value that was begun before the last was forgotten is not kept. */
  async #makeAgain(turn: number): Promise<Value> {
    const madeAt = this.#clock.monotonic();
    try {
      const value = await this.#make();
      if (turn === this.#turn) this.#last = { value, madeAt };
      return value;
    } finally {
      if (turn === this.#turn) this.#making = null;
    }
  }
}
