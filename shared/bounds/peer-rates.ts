/**
 * A rate for each of any number of peers, and one for all of them together. What is kept of peers is bounded: of those
 * that were not heard of for longest the rate is forgotten, and the rate for all holds on.
 */
import type { Clock } from '../clock.ts';
import { AllowedRate } from './allowed-rate.ts';

type Rate = Readonly<{ perSecond: number; burst: number }>;

export class PeerRates<Peer> {
  readonly #clock: Clock;
  readonly #all: AllowedRate;
  readonly #peer: Rate;
  readonly #peersMax: number;
  readonly #rates = new Map<Peer, AllowedRate>();

  constructor(clock: Clock, rates: Readonly<{ all: Rate; peer: Rate; peersMax: number }>) {
    this.#clock = clock;
    this.#all = new AllowedRate(clock, rates.all);
    this.#peer = rates.peer;
    this.#peersMax = rates.peersMax;
  }

  /** Peers of which a rate is kept. */
  get size(): number {
    return this.#rates.size;
  }

  /** Spends one unit of the peer's rate, and of that of all. False when either has none left. */
  spend(peer: Peer): boolean {
    const rate = this.#rates.get(peer) ?? new AllowedRate(this.#clock, this.#peer);
    // The last in its order is the one that was heard of last.
    this.#rates.delete(peer);
    this.#rates.set(peer, rate);
    if (this.#rates.size > this.#peersMax) this.#forgetOldest();
    // The peer's own first: one that floods does not use up what the others need.
    return rate.spend(1) && this.#all.spend(1);
  }

  #forgetOldest(): void {
    for (const oldest of this.#rates.keys()) {
      this.#rates.delete(oldest);
      return;
    }
  }
}
