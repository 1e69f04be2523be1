/** A queue in which peers take turns: one peer's items delay another by at most one item. */
export class FairQueue<Peer, Item> {
  readonly #waiting = new Map<Peer, Item[]>();

  add(peer: Peer, item: Item): void {
    const items = this.#waiting.get(peer);
    if (items) items.push(item);
    else this.#waiting.set(peer, [item]);
  }

  /** Returns the oldest item of the peer whose turn it is. */
  next(): Item | undefined {
    const [first] = this.#waiting;
    if (!first) return undefined;
    const [peer, items] = first;
    const item = items.shift();
    // The peer goes to the end of the turn order.
    this.#waiting.delete(peer);
    if (items.length > 0) this.#waiting.set(peer, items);
    return item;
  }
}
