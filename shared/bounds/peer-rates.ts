/**
 * A rate limit for each peer, and one for all peers together. The number of peers that are
 * remembered is bounded: the peer that was seen least recently is forgotten, but the limit for all
 * still applies.
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

  /** The number of peers that are remembered. */
  get size(): number {
    return this.#rates.size;
  }

  /**
   * Spends units of the peer's rate and of the rate for all. False when either has fewer left.
   */
  spend(peer: Peer, units = 1): boolean {
    const rate = this.#rates.get(peer) ?? new AllowedRate(this.#clock, this.#peer);
    // The map is ordered by last use: the peer that was seen last is its last entry.
    this.#rates.delete(peer);
    this.#rates.set(peer, rate);
    if (this.#rates.size > this.#peersMax) this.#forgetOldest();
    // The peer's own rate comes first: a peer that floods must not use up what the others need.
    return rate.spend(units) && this.#all.spend(units);
  }

  #forgetOldest(): void {
    for (const oldest of this.#rates.keys()) {
      this.#rates.delete(oldest);
      return;
    }
  }
}
