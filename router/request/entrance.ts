/**
 * Checks before a request's body is read. A body costs work and memory, so refusals that do not
 * depend on it come first. These checks use only what this router knows; only the ledger can admit
 * a request.
 */
import { Budget, type Lease } from '../../shared/bounds/budget.ts';
import { ConcurrencyLimit } from '../../shared/bounds/concurrency-limit.ts';
import type { Clock } from '../../shared/clock.ts';
import type { KeyId, OrganizationId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import { isRefusal, Refusal } from '../../shared/refusals.ts';
import { findConcurrencyLimit, RETRY_CONCURRENCY_MS } from '../ledger/rules/limits.ts';
import type { Caller } from './authenticate.ts';
import { FaultyRequests } from './faulty-requests.ts';
import { bodiesFull, RateLimited } from './limited.ts';
import { suspended } from './live.ts';
import { RecentRefusals } from './recent-refusals.ts';

/** No common limits: the limits of each organization and key apply. */
const UNBOUNDED = { totalMax: Infinity, peerMax: Infinity } as const;

/**
 * A request that passed. It must be disposed of when it has ended. That frees its memory at once,
 * and stops counting it as a concurrent request when nothing is kept for its client any more.
 */
export interface Entry extends Disposable {
  /** The memory of its body. */
  readonly lease: Lease;
  /** Must be called when the body has been read and checked. */
  bodyRead(): void;
  /** Counts it as a request with log probabilities. Refuses it while too many of those run. */
  takeLogprobs(): Refusal | null;
}

type Asking = Pick<Caller, 'organization' | 'key' | 'limits' | 'suspended'>;

export class Entrance {
  readonly recent: RecentRefusals;
  readonly faulty: FaultyRequests;
  readonly #bodies = new Budget<OrganizationId>({
    totalBytesMax: limits.bodiesBytesMax,
    peerBytesMax: limits.bodiesPerOrganizationBytesMax,
    keepsRoom: true,
  });
  /** Requests being handled, including those whose bodies are still being read. */
  readonly #handled = new ConcurrencyLimit<OrganizationId | KeyId>(UNBOUNDED);
  readonly #reading = new ConcurrencyLimit<OrganizationId>({
    totalMax: limits.bodiesReadingMax,
    peerMax: limits.bodiesReadingPerOrganizationMax,
  });

  readonly #withLogprobs = new ConcurrencyLimit<OrganizationId>({
    totalMax: limits.logprobsRequestsMax,
    peerMax: limits.logprobsRequestsPerOrganizationMax,
  });

  constructor(clock: Clock) {
    this.recent = new RecentRefusals(clock);
    this.faulty = new FaultyRequests(clock);
  }

  /** Bytes of memory that bodies take now. */
  get bodyBytes(): number {
    return this.#bodies.bytes;
  }

  /**
   * Lets a request in, or refuses it. `declared` is the length of its body, null if unknown.
   * `onAnswered` must call back when nothing is kept for the client: a response that nobody reads
   * counts as a concurrent request, like one that is being sent.
   */
  enter(
    caller: Asking,
    declared: number | null,
    onAnswered: (answered: () => void) => void,
  ): Entry | Refusal {
    const { organization, key } = caller;
    if (caller.suspended) return suspended();
    const known =
      this.#findLimit(caller) ??
      this.recent.find(caller, declared ?? 0) ??
      this.faulty.find(caller);
    if (known) return known;
    const lease = this.#bodies.lease(organization);
    // A body over the limit is not kept, and is refused as too large.
    const wanted = Math.min(declared ?? 0, limits.bodyBytesMax);
    if (!lease.fits(wanted)) return bodiesFull(lease.exceeded);
    const isItsOwn = this.#reading.of(organization) >= limits.bodiesReadingPerOrganizationMax;
    const reading = this.#reading.enter(organization);
    if (!reading) return bodiesFull(isItsOwn ? 'peer' : 'total');
    const places = [this.#handled.enter(organization), this.#handled.enter(key)];
    return {
      lease,
      bodyRead: () => reading[Symbol.dispose](),
      takeLogprobs: () => {
        const place = this.#takeLogprobs(organization);
        if (isRefusal(place)) return place;
        places.push(place);
        return null;
      },
      [Symbol.dispose]() {
        reading[Symbol.dispose]();
        lease[Symbol.dispose]();
        onAnswered(() => {
          for (const place of places) place?.[Symbol.dispose]();
        });
      },
    };
  }

  /** Once half of all places are taken, an organization has fewer, so that others find one. */
  #takeLogprobs(organization: OrganizationId): Disposable | Refusal {
    const places = this.#withLogprobs;
    const isCrowded = places.count >= limits.logprobsRequestsMax / 2;
    const own = isCrowded ? limits.logprobsRequestsWhenCrowdedMax : Infinity;
    const place = places.of(organization) < own ? places.enter(organization) : null;
    if (place) return place;
    if (places.count >= limits.logprobsRequestsMax) {
      return new Refusal('overloaded', { retryAfterS: 1 });
    }
    return tooManyLogprobs();
  }

  #findLimit({ organization, key, limits: set }: Asking): Refusal | null {
    const reached = findConcurrencyLimit(set, {
      organization: this.#handled.of(organization),
      key: this.#handled.of(key),
    });
    const retryAfterMs = RETRY_CONCURRENCY_MS;
    return reached && new RateLimited({ limited: 'concurrency', reached, retryAfterMs });
  }
}

function tooManyLogprobs(): Refusal {
  const message =
    'Too many of your requests with log probabilities run at once: retry when one has ended.';
  return new Refusal('rate_limited', { message, retryAfterS: 1 });
}
