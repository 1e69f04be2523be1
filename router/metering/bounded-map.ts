/** A map with a maximum size. A new entry evicts the one that was set or used the longest ago. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /** Returns the value of a key, or the one that `make` creates, and marks it as used. */
  use(key: Key, make: () => Value): Value {
    const value = this.#entries.get(key) ?? make();
    this.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#most) break;
      this.#entries.delete(oldest);
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  [Symbol.iterator](): IterableIterator<[Key, Value]> {
    return this.#entries.entries();
  }
}
