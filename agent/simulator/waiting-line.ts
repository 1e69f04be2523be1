/**
 * The queue of waiting requests: preempted requests first, then the others in the order of arrival.
 */

export class WaitingLine<Item> implements Iterable<Item> {
  /** Preempted items. The last of them is the first in the queue. */
  readonly #returned: Item[] = [];
  readonly #arrived = new Set<Item>();

  get size(): number {
    return this.#returned.length + this.#arrived.size;
  }

  get first(): Item | undefined {
    if (this.#returned.length > 0) return this.#returned.at(-1);
    const [first] = this.#arrived;
    return first;
  }

  join(item: Item): void {
    this.#arrived.add(item);
  }

  /** Adds an item at the front of the queue. */
  rejoin(item: Item): void {
    this.#returned.push(item);
  }

  leave(item: Item): void {
    if (this.#arrived.delete(item)) return;
    const at = this.#returned.lastIndexOf(item);
    if (at >= 0) this.#returned.splice(at, 1);
  }

  *[Symbol.iterator](): Iterator<Item> {
    yield* this.#returned.toReversed();
    yield* this.#arrived;
  }
}
