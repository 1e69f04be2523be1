/**
 * Limits how many requests that are refused for their content (400, 404) are read in a minute. They
 * never reach the ledger, which applies the limits of a minute to all others. So this router counts them
 * itself, against the same limits, and refuses further requests before it reads their bodies.
 */
import type { Clock } from '../../shared/clock.ts';
import { MINUTE_MS } from '../../shared/durations.ts';
import type { KeyId, OrganizationId } from '../../shared/ids.ts';
import type { Refusal } from '../../shared/refusals.ts';
import type { Limits, ReachedLimit } from '../ledger/terms.ts';
import type { Caller } from './authenticate.ts';
import { RateLimited } from './limited.ts';

/** A limit of the memory: the peer that was counted least recently is forgotten. */
export const COUNTED_MAX = 20_000;

type Peer = OrganizationId | KeyId;
type Counted = { readonly since: number; count: number };
export type Sender = Pick<Caller, 'organization' | 'key'> &
  Readonly<{ limits: Pick<Limits, ReachedLimit['of']> }>;

export class FaultyRequests {
  readonly #clock: Clock;
  readonly #counted = new Map<Peer, Counted>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a request whose body was read, if it was refused for its content. Returns its refusal. */
  noted(sender: Sender, refusal: Refusal): Refusal {
    if (refusal.status !== 400 && refusal.status !== 404) return refusal;
    for (const { peer, most } of limitsOf(sender)) {
      if (most === null) continue;
      const counted = this.#current(peer) ?? { since: this.#clock.monotonic(), count: 0 };
      counted.count += 1;
      this.#keep(peer, counted);
    }
    return refusal;
  }

  /** The refusal of a sender with more such requests in a minute than it may send. Null for others. */
  find(sender: Sender): Refusal | null {
    // The usual case: it must cost nothing.
    if (this.#counted.size === 0) return null;
    this.#forgetPast();
    for (const { of, peer, most } of limitsOf(sender)) {
      const counted = most === null ? null : this.#current(peer);
      if (most === null || counted === null || counted.count <= most) continue;
      const retryAfterMs = counted.since + MINUTE_MS - this.#clock.monotonic();
      return new RateLimited({ limited: 'requests', reached: { of, most }, retryAfterMs });
    }
    return null;
  }

  /** What is counted of a peer in its present minute, which begins with a faulty request. */
  #current(peer: Peer): Counted | null {
    const counted = this.#counted.get(peer);
    return counted && this.#isPresent(counted) ? counted : null;
  }

  #isPresent({ since }: Counted): boolean {
    return this.#clock.monotonic() - since < MINUTE_MS;
  }

  /** Forgets those who were counted least recently, up to the first whose minute is not over. */
  #forgetPast(): void {
    for (const [peer, counted] of this.#counted) {
      if (this.#isPresent(counted)) return;
      this.#counted.delete(peer);
    }
  }

  #keep(peer: Peer, counted: Counted): void {
    this.#counted.delete(peer);
    this.#counted.set(peer, counted);
    if (this.#counted.size <= COUNTED_MAX) return;
    const [oldest] = this.#counted.keys();
    if (oldest !== undefined) this.#counted.delete(oldest);
  }
}

function limitsOf({ organization, key, limits }: Sender) {
  return [
    { of: 'organization', peer: organization, most: limits.organization.requestsPerMinute },
    { of: 'key', peer: key, most: limits.key.requestsPerMinute },
  ] as const;
}
