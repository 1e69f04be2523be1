/**
 * HOT PATH: what is in flight, such as requests. It comes and goes fast, and much hangs on it.
 *
 * A Map or Set would keep what it had, long after it was deleted: V8 replaces the table of a Map
 * whenever it has filled up, and a replaced table refers to its successor and to all that was in the
 * Map at that time. Once one table belongs to the old generation of the heap, so do all its
 * successors with everything in them, although it is garbage (docs/decisions/0053-in-flight.md). Here,
 * a deleted item leaves no reference.
 */

export class InFlight<Item> {
  readonly #places: (Item | null)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#places.length - this.#free.length;
  }

  /** Returns the place of the item, which `delete` takes. */
  add(item: Item): number {
    const place = this.#free.pop() ?? this.#places.length;
    this.#places[place] = item;
    return place;
  }

  /** Returns false if the item is not in this place any more. */
  delete(place: number, item: Item): boolean {
    if (this.#places[place] !== item) return false;
    this.#places[place] = null;
    this.#free.push(place);
    return true;
  }

  at(place: number): Item | null {
    return this.#places[place] ?? null;
  }

  clear(): void {
    this.#places.length = 0;
    this.#free.length = 0;
  }

  /** Items that are deleted meanwhile do not come; items that are added meanwhile may come. */
  *[Symbol.iterator](): Generator<Item, void> {
    for (const item of this.#places) if (item !== null) yield item;
  }
}

/** The same, for items that are found by a number. */
export class InFlightByNumber<Item> {
  readonly #placeOf = new Map<number, number>();
  readonly #items = new InFlight<Item>();

  get size(): number {
    return this.#items.size;
  }

  get(number: number): Item | null {
    const place = this.#placeOf.get(number);
    return place === undefined ? null : this.#items.at(place);
  }

  /** Throws if the number has an item. */
  add(number: number, item: Item): void {
    if (this.#placeOf.has(number)) throw new Error(`${number} is in flight already`);
    this.#placeOf.set(number, this.#items.add(item));
  }

  /** Returns the item that was deleted; null if there was none. */
  delete(number: number): Item | null {
    const place = this.#placeOf.get(number);
    if (place === undefined) return null;
    const item = this.#items.at(place) as Item;
    this.#placeOf.delete(number);
    this.#items.delete(place, item);
    return item;
  }

  numbers(): Iterable<number> {
    return this.#placeOf.keys();
  }

  [Symbol.iterator](): Generator<Item, void> {
    return this.#items[Symbol.iterator]();
  }
}
