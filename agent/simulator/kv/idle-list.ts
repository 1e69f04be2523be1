/**
 * The blocks that no request reads but that can still be found: a doubly linked list in two arrays,
 * oldest first. Removing a block from the middle, as every cache hit does, takes the same time
 * whatever the length. A Map in insertion order would have to skip its deleted entries.
 */
export class IdleList {
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  /** The node before the oldest block and after the newest. */
  readonly #sentinel: number;
  #length = 0;

  constructor(capacity: number) {
    this.#next = new Int32Array(capacity + 1);
    this.#previous = new Int32Array(capacity + 1);
    this.#sentinel = capacity;
    this.#link(capacity, capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** Adds a block as the newest. */
  push(block: number): void {
    this.#link(this.#previous[this.#sentinel] ?? this.#sentinel, block);
    this.#link(block, this.#sentinel);
    this.#length++;
  }

  /** Takes out a block that is in the list. */
  remove(block: number): void {
    this.#link(this.#previous[block] ?? this.#sentinel, this.#next[block] ?? this.#sentinel);
    this.#length--;
  }

  /** Takes out the oldest block, if there is one. */
  shift(): number | undefined {
    if (this.#length === 0) return undefined;
    const oldest = this.#next[this.#sentinel] ?? this.#sentinel;
    this.remove(oldest);
    return oldest;
  }

  #link(before: number, after: number): void {
    this.#next[before] = after;
    this.#previous[after] = before;
  }
}
