/**
 * Limits how many of something are in progress at once, in total and for one peer: connections,
 * bodies, handshakes.
 */

export type ConcurrencyMax = Readonly<{ totalMax: number; peerMax: number }>;

export class ConcurrencyLimit<Peer> {
  readonly #max: ConcurrencyMax;
  readonly #countOf = new Map<Peer, number>();
  #count = 0;

  constructor(max: ConcurrencyMax) {
    this.#max = max;
  }

  /** How many are in progress, over all peers. */
  get count(): number {
    return this.#count;
  }

  of(peer: Peer): number {
    return this.#countOf.get(peer) ?? 0;
  }

  /** Takes a slot. Disposing of the slot frees it. Returns null when a limit is reached. */
  enter(peer: Peer): Disposable | null {
    if (this.#count >= this.#max.totalMax || this.of(peer) >= this.#max.peerMax) return null;
    this.#add(peer, 1);
    let isIn = true;
    return {
      [Symbol.dispose]: () => {
        if (isIn) this.#add(peer, -1);
        isIn = false;
      },
    };
  }

  #add(peer: Peer, change: 1 | -1): void {
    this.#count += change;
    const count = this.of(peer) + change;
    if (count > 0) this.#countOf.set(peer, count);
    else this.#countOf.delete(peer);
  }
}
