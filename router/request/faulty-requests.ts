/**
 * Limits how many requests that are refused for their content (400, 404, and a model that the key may
 * not call) are read in a minute. The ledger, which applies the limits of a minute to all others, does
 * not count them. So this router counts them itself, against the same limits, and refuses further
 * requests before it reads their bodies. A key is refused only if it has sent some itself: one key must
 * not stop the others of its organization.
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
type Counted = Readonly<{ since: number; count: number }>;
export type Sender = Pick<Caller, 'organization' | 'key'> &
  Readonly<{ limits: Pick<Limits, ReachedLimit['of']> }>;

export class FaultyRequests {
  readonly #clock: Clock;
  readonly #counted = new Map<Peer, Counted>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Counts a request that was refused for its content. `bad_request` after the client has left is no
   * fault: the body did not arrive, or nobody read it. Returns the refusal.
   */
  noted({ organization, key }: Sender, refusal: Refusal, hasLeft: boolean): Refusal {
    const { status, code } = refusal;
    const isUnread = hasLeft && code === 'bad_request';
    const isOfContent = status === 400 || status === 404 || code === 'model_not_allowed';
    if (isOfContent && !isUnread) {
      this.#count(organization);
      this.#count(key);
    }
    return refusal;
  }

  /**
   * The refusal of a sender with more such requests in a minute than it may send. Null for others: also
   * for keys without faults of their own, whatever other keys of their organization send.
   */
  find({ organization, key, limits }: Sender): Refusal | null {
    const own = this.#current(key);
    return (
      own &&
      (this.#beyond(own, 'key', limits.key.requestsPerMinute) ??
        this.#beyond(
          this.#current(organization),
          'organization',
          limits.organization.requestsPerMinute,
        ))
    );
  }

  #beyond(
    counted: Counted | null,
    of: ReachedLimit['of'],
    most: number | null,
  ): RateLimited | null {
    if (counted === null || most === null || counted.count <= most) return null;
    const retryAfterMs = counted.since + MINUTE_MS - this.#clock.monotonic();
    return new RateLimited({ limited: 'requests', reached: { of, most }, retryAfterMs });
  }

  /** What is counted of a peer in its present minute, which begins with a faulty request. */
  #current(peer: Peer): Counted | null {
    const counted = this.#counted.get(peer);
    return counted && this.#clock.monotonic() - counted.since < MINUTE_MS ? counted : null;
  }

  #count(peer: Peer): void {
    const { since, count } = this.#current(peer) ?? { since: this.#clock.monotonic(), count: 0 };
    this.#counted.delete(peer);
    this.#counted.set(peer, { since, count: count + 1 });
    if (this.#counted.size <= COUNTED_MAX) return;
    const [oldest] = this.#counted.keys();
    if (oldest !== undefined) this.#counted.delete(oldest);
  }
}
