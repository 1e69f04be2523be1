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
    this.#count += 1;
    this.#countOf.set(peer, this.of(peer) + 1);
    return new Slot(() => this.#leave(peer));
  }

  #leave(peer: Peer): void {
    this.#count -= 1;
    const left = this.of(peer) - 1;
    if (left > 0) this.#countOf.set(peer, left);
    else this.#countOf.delete(peer);
  }
}

/** A class: V8 makes each object with a computed name at run time, which showed in a profile. */
class Slot implements Disposable {
  #leave: (() => void) | null;

  constructor(leave: () => void) {
    this.#leave = leave;
  }

  [Symbol.dispose](): void {
    this.#leave?.();
    this.#leave = null;
  }
}
