/** A queue in which peers take turns: what one has waiting does not delay another by more than one item. */
export class FairQueue<Peer, Item> {
  readonly #waiting = new Map<Peer, Item[]>();

  add(peer: Peer, item: Item): void {
    const items = this.#waiting.get(peer);
    if (items) items.push(item);
    else this.#waiting.set(peer, [item]);
  }

  /** The oldest item of the peer whose turn it is. */
  next(): Item | undefined {
    const [first] = this.#waiting;
    if (!first) return undefined;
    const [peer, items] = first;
    const item = items.shift();
    // Behind those that wait.
    this.#waiting.delete(peer);
    if (items.length > 0) this.#waiting.set(peer, items);
    return item;
  }
}
