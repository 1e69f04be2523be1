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

  constructor(clock: Pick<Clock, 'monotonic'>, msMax: number, make: () => Promise<Value>) {
    this.#clock = clock;
    this.#msMax = msMax;
    this.#make = make;
  }

  /** Rejects if the value cannot be made. The next call tries again. */
  async get(): Promise<Value> {
    const last = this.#last;
    if (last && this.#clock.monotonic() - last.madeAt < this.#msMax) return last.value;
    this.#making ??= this.#makeAgain().finally(() => {
      this.#making = null;
    });
    return await this.#making;
  }

  async #makeAgain(): Promise<Value> {
    const madeAt = this.#clock.monotonic();
    const value = await this.#make();
    this.#last = { value, madeAt };
    return value;
  }
}
