/**
 * What is asked before a request's body is read. A body is work, and memory; a refusal that does not depend on it
 * comes first. All of it is this router's own knowledge, and only the ledger says yes.
 */
import { Budget, type Lease } from '../../shared/bounds/budget.ts';
import type { Clock } from '../../shared/clock.ts';
import type { KeyId, OrganizationId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import { Refusal } from '../../shared/refusals.ts';
import type { Caller } from './authenticate.ts';
import { rateLimited } from './limited.ts';
import { suspended } from './live.ts';
import { RecentRefusals } from './recent-refusals.ts';

/** A request that was let in. Disposed of when it has ended: its place and its memory are free again. */
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
  /** Requests being handled, those included whose bodies are still being read. */
  readonly #handled = new Counts<OrganizationId | KeyId>();
  readonly #reading = new Counts<OrganizationId>();

  constructor(clock: Clock) {
    this.recent = new RecentRefusals(clock);
  }

  /** Memory that bodies take now. */
  get bodyBytes(): number {
    return this.#bodies.bytes;
  }

  /** `declared`: the length of the body; null: not told. */
  enter(caller: Asking, declared: number | null): Entry | Refusal {
    const { organization, key } = caller;
    if (caller.suspended) return suspended();
    const known = this.#findLimit(caller) ?? this.recent.find(caller, declared ?? 0);
    if (known) return known;
    const lease = this.#bodies.lease(organization);
    // A body over the bound is not kept, and is told so.
    const wanted = Math.min(declared ?? 0, limits.bodyBytesMax);
    if (!lease.fits(wanted) || this.#isCrowded(organization)) {
      return new Refusal('overloaded', { retryAfterS: 1 });
    }
    const leave = [
      this.#handled.count(organization),
      this.#handled.count(key),
      () => lease[Symbol.dispose](),
    ];
    const bodyRead = this.#reading.count(organization);
    return {
      lease,
      bodyRead,
      [Symbol.dispose]() {
        bodyRead();
        for (const undo of leave) undo();
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

  #isCrowded(organization: OrganizationId): boolean {
    return (
      this.#reading.total >= limits.bodiesReadingMax ||
      this.#reading.of(organization) >= limits.bodiesReadingPerOrganizationMax
    );
  }
}

class Counts<Id> {
  readonly #counts = new Map<Id, number>();
  total = 0;

  of(id: Id): number {
    return this.#counts.get(id) ?? 0;
  }

  /** Counts one more, until the answer is called, once or more often. */
  count(id: Id): () => void {
    let isCounted = true;
    this.#add(id, 1);
    return () => {
      if (isCounted) this.#add(id, -1);
      isCounted = false;
    };
  }

  #add(id: Id, change: 1 | -1): void {
    const count = this.of(id) + change;
    this.total += change;
    if (count > 0) this.#counts.set(id, count);
    else this.#counts.delete(id);
  }
}
