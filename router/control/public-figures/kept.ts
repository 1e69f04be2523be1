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
    return await (this.#making ?? this.#begin());
  }

  /** Whoever asks from now on gets a new value. */
  forget(): void {
    this.#last = null;
    this.#making = null;
  }

  #begin(): Promise<Value> {
    const madeAt = this.#clock.monotonic();
    const making = this.#make();
    this.#making = making;
    making.then(
      (value) => {
        if (this.#making !== making) return;
        this.#making = null;
        this.#last = { value, madeAt };
      },
      () => {
        if (this.#making === making) this.#making = null;
      },
    );
    return making;
  }
}
