/**
 * The blocks that nobody reads but that still hold something worth finding: a doubly linked list
 * through two arrays, oldest first. Taking one out of the middle, as every cache hit does, costs
 * the same whatever its length; a Map in insertion order would walk over its own graves.
 */
export class IdleList {
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  /** Stands before the oldest and after the newest. */
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
