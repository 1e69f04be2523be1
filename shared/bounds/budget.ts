/**
 * A budget for the memory that peers make this process keep, in total and for each peer, so that no
 * peer takes what the others need. Bytes are counted before they are kept.
 */

export type BudgetBytes = Readonly<{
  totalBytesMax: number;
  peerBytesMax: number;
  /**
   * Whether a peer also takes no more than half of what it leaves to all others, so that a few peers
   * together never take everything.
   */
  keepsRoom?: boolean;
}>;

/** One holder's part of a budget. Disposing gives all of it back. */
export interface Lease extends Disposable {
  /** Bytes taken and not given back. */
  readonly bytes: number;
  /** Whether so many more bytes would fit now. Takes nothing. */
  fits(bytes: number): boolean;
  /** Takes so many more bytes. Returns false, and takes nothing, when they do not fit. */
  take(bytes: number): boolean;
  /** Which maximum left no room for the last bytes that did not fit. Null if all have fitted. */
  readonly exceeded: Maximum | null;
  /** Gives back some of what was taken. */
  give(bytes: number): void;
}

/** `peer`: the part of one peer. `total`: all of the budget. */
export type Maximum = 'peer' | 'total';

export class Budget<Peer> {
  readonly #max: BudgetBytes;
  readonly #takenBy = new Map<Peer, number>();
  #taken = 0;

  constructor(max: BudgetBytes) {
    this.#max = max;
  }

  /** Bytes taken by all peers. */
  get bytes(): number {
    return this.#taken;
  }

  /** Bytes taken by one peer. */
  bytesOf(peer: Peer): number {
    return this.#takenBy.get(peer) ?? 0;
  }

  lease(peer: Peer): Lease {
    let mine = 0;
    let exceeded: Maximum | null = null;
    const add = (bytes: number) => {
      mine += bytes;
      this.#add(peer, bytes);
    };
    const fits = (bytes: number) => {
      const next = this.#exceeded(peer, bytes);
      exceeded = next ?? exceeded;
      return next === null;
    };
    return {
      get bytes() {
        return mine;
      },
      get exceeded() {
        return exceeded;
      },
      fits,
      take(bytes) {
        if (!fits(bytes)) return false;
        add(bytes);
        return true;
      },
      give: (bytes) => add(-Math.min(bytes, mine)),
      [Symbol.dispose]: () => add(-mine),
    };
  }

  #exceeded(peer: Peer, bytes: number): Maximum | null {
    const { totalBytesMax, peerBytesMax, keepsRoom = false } = this.#max;
    const held = this.bytesOf(peer);
    const left = totalBytesMax - this.#taken - bytes;
    if (held + bytes > peerBytesMax) return 'peer';
    if (left < 0) return 'total';
    const isTooMuch = keepsRoom && held + bytes > left / 2;
    return isTooMuch ? (held > 0 ? 'peer' : 'total') : null;
  }

  #add(peer: Peer, bytes: number): void {
    this.#taken += bytes;
    const theirs = this.bytesOf(peer) + bytes;
    if (theirs > 0) this.#takenBy.set(peer, theirs);
    else this.#takenBy.delete(peer);
  }
}
