/**
 * What is asked before a request's body is read. A body is work, and memory; a refusal that does not depend on it
 * comes first. All of it is this router's own knowledge, and only the ledger says yes.
 */
import { AtOnce } from '../../shared/bounds/at-once.ts';
import { Budget, type Lease } from '../../shared/bounds/budget.ts';
import type { Clock } from '../../shared/clock.ts';
import type { KeyId, OrganizationId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import { Refusal } from '../../shared/refusals.ts';
import type { Caller } from './authenticate.ts';
import { rateLimited } from './limited.ts';
import { suspended } from './live.ts';
import { RecentRefusals } from './recent-refusals.ts';

/** What bounds it is each organization's and each key's own. */
const UNBOUNDED = { totalMax: Infinity, peerMax: Infinity } as const;

/**
 * A request that was let in. Disposed of when it has ended: its memory is free again, and its place once its client has
 * taken the answer.
 */
export interface Entry extends Disposable {
  /** Pays for its body. */
  readonly lease: Lease;
  /** Its body is read and checked. */
  bodyRead(): void;
}

type Asking = Pick<Caller, 'organization' | 'key' | 'limits' | 'suspended'>;

export class Entrance {
  readonly recent: RecentRefusals;
  readonly #bodies = new Budget<OrganizationId>({
    totalBytesMax: limits.bodiesBytesMax,
    peerBytesMax: limits.bodiesPerOrganizationBytesMax,
  });
  /** Requests being handled, those included whose bodies are still being read; the limits of each are its own. */
  readonly #handled = new AtOnce<OrganizationId | KeyId>(UNBOUNDED);
  readonly #reading = new AtOnce<OrganizationId>({
    totalMax: limits.bodiesReadingMax,
    peerMax: limits.bodiesReadingPerOrganizationMax,
  });

  constructor(clock: Clock) {
    this.recent = new RecentRefusals(clock);
  }

  /** Memory that bodies take now. */
  get bodyBytes(): number {
    return this.#bodies.bytes;
  }

  /**
   * `declared`: the length of the body; null: not told. `onAnswered` calls back once nothing is kept for the client: an
   * answer that nobody reads takes its place as one that is being written does.
   */
  enter(
    caller: Asking,
    declared: number | null,
    onAnswered: (answered: () => void) => void,
  ): Entry | Refusal {
    const { organization, key } = caller;
    if (caller.suspended) return suspended();
    const known = this.#findLimit(caller) ?? this.recent.find(caller, declared ?? 0);
    if (known) return known;
    const lease = this.#bodies.lease(organization);
    // A body over the bound is not kept, and is told so.
    const wanted = Math.min(declared ?? 0, limits.bodyBytesMax);
    const reading = lease.fits(wanted) ? this.#reading.enter(organization) : null;
    if (!reading) return new Refusal('overloaded', { retryAfterS: 1 });
    const places = [this.#handled.enter(organization), this.#handled.enter(key)];
    return {
      lease,
      bodyRead: () => reading[Symbol.dispose](),
      [Symbol.dispose]() {
        reading[Symbol.dispose]();
        lease[Symbol.dispose]();
        onAnswered(() => {
          for (const place of places) place?.[Symbol.dispose]();
        });
      },
    };
  }

  #findLimit({ organization, key, limits: set }: Asking): Refusal | null {
    const isFull = (id: OrganizationId | KeyId, max: number | null) =>
      max !== null && this.#handled.of(id) >= max;
    if (
      !isFull(organization, set.organization.concurrentRequests) &&
      !isFull(key, set.key.concurrentRequests)
    ) {
      return null;
    }
    return rateLimited({ limited: 'concurrency', retryAfterMs: 1_000 });
  }
}
