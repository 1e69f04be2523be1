import type { Clock } from '../../shared/clock.ts';

type Last<Value> = Readonly<{ value: Value; madeAt: number }>;

/**
 * A value that is expensive to make. It is made when it is asked for and older than `msMax`, and
 * only once at a time: everybody who asks meanwhile waits for the same one. When it cannot be made,
 * the last one is used for another `msMax`.
 */
export class CachedValue<Value> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #msMax: number;
  readonly #make: () => Promise<Value>;
  #last: Last<Value> | null = null;
  /** Whether the last value is used although it is younger than `msMax`. */
  #isOutdated = false;
  #making: Promise<Value> | null = null;
  /** How often the value was outdated. */
  #turn = 0;

  constructor(clock: Pick<Clock, 'monotonic'>, msMax: number, make: () => Promise<Value>) {
    this.#clock = clock;
    this.#msMax = msMax;
    this.#make = make;
  }

  /** The last value, however old it is. Null: none was made so far. */
  get latest(): Value | null {
    return this.#last?.value ?? null;
  }

  /** Rejects if the value cannot be made and none was made before. The next call tries again. */
  async get(): Promise<Value> {
    const last = this.#last;
    const isFresh = last !== null && this.#clock.monotonic() - last.madeAt < this.#msMax;
    if (isFresh && !this.#isOutdated) return last.value;
    this.#making ??= this.#makeAgain(this.#turn);
    return await this.#making;
  }

  /** Whoever asks from now on gets a new value, if it can be made. */
  outdate(): void {
    this.#turn += 1;
    this.#isOutdated = true;
    this.#making = null;
  }

  /** `turn`: a value that was begun before the last was outdated is not kept. */
  async #makeAgain(turn: number): Promise<Value> {
    const madeAt = this.#clock.monotonic();
    try {
      const value = await this.#make();
      this.#keep(turn, { value, madeAt });
      return value;
    } catch (error) {
      const last = this.#last;
      if (last === null) throw error;
      // Not tried again at once, because making it may have taken long.
      this.#keep(turn, { value: last.value, madeAt: this.#clock.monotonic() });
      return last.value;
    } finally {
      if (turn === this.#turn) this.#making = null;
    }
  }

  #keep(turn: number, last: Last<Value>): void {
    if (turn !== this.#turn) return;
    this.#last = last;
    this.#isOutdated = false;
  }
}
