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
  readonly #account: Account<Peer>;

  constructor(max: BudgetBytes) {
    this.#account = new Account(max);
  }

  /** Bytes taken by all peers. */
  get bytes(): number {
    return this.#account.taken;
  }

  /** Bytes taken by one peer. */
  bytesOf(peer: Peer): number {
    return this.#account.of(peer);
  }

  lease(peer: Peer): Lease {
    return new PeerLease(this.#account, peer);
  }
}

/** Hot path. A class, because V8 gives each object literal that has a getter a shape of its own. */
class PeerLease<Peer> implements Lease {
  readonly #account: Account<Peer>;
  readonly #peer: Peer;
  #bytes = 0;
  #exceeded: Maximum | null = null;

  constructor(account: Account<Peer>, peer: Peer) {
    this.#account = account;
    this.#peer = peer;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get exceeded(): Maximum | null {
    return this.#exceeded;
  }

  fits(bytes: number): boolean {
    const exceeded = this.#account.exceeded(this.#peer, bytes);
    if (exceeded !== null) this.#exceeded = exceeded;
    return exceeded === null;
  }

  take(bytes: number): boolean {
    if (!this.fits(bytes)) return false;
    this.#add(bytes);
    return true;
  }

  give(bytes: number): void {
    this.#add(-Math.min(bytes, this.#bytes));
  }

  [Symbol.dispose](): void {
    this.#add(-this.#bytes);
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    this.#account.add(this.#peer, bytes);
  }
}

/** What has been taken of a budget. */
class Account<Peer> {
  readonly #max: BudgetBytes;
  readonly #takenBy = new Map<Peer, number>();
  taken = 0;

  constructor(max: BudgetBytes) {
    this.#max = max;
  }

  of(peer: Peer): number {
    return this.#takenBy.get(peer) ?? 0;
  }

  /** Which maximum leaves no room for so many more bytes. */
  exceeded(peer: Peer, bytes: number): Maximum | null {
    const { totalBytesMax, peerBytesMax, keepsRoom = false } = this.#max;
    const held = this.of(peer);
    const left = totalBytesMax - this.taken - bytes;
    if (held + bytes > peerBytesMax) return 'peer';
    if (left < 0) return 'total';
    const isTooMuch = keepsRoom && held + bytes > left / 2;
    return isTooMuch ? (held > 0 ? 'peer' : 'total') : null;
  }

  add(peer: Peer, bytes: number): void {
    this.taken += bytes;
    const theirs = this.of(peer) + bytes;
    if (theirs > 0) this.#takenBy.set(peer, theirs);
    else this.#takenBy.delete(peer);
  }
}
