/**
 * The queue for requests whose workers are all full: one queue for each model and region, with
 * limits on length and time, fair between organizations. When there may be room, the organization
 * that was given the fewest tokens while it waited goes first, so that a thousand requests of one
 * organization do not delay ten of another (a virtual token counter, as in "Fairness in Serving
 * Large Language Models", OSDI 2024). One organization may take all places while no other waits. When
 * they are all taken, a request of an organization with fewer takes the place of the newest request of
 * the one with the most.
 */
import type { Clock } from '../../shared/clock.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import { isRefusal, Refusal } from '../../shared/refusals.ts';
import type { Region } from '../../shared/region.ts';
import { OUTPUT_TOKENS } from '../routing/in-flight-request.ts';
import { queueShareTaken } from './limited.ts';
import { type Live, suspended } from './live.ts';
import type { Reply } from './reply.ts';

/** Weight of each departure in the moving average of the queue's pace. */
const PACE_WEIGHT = 0.1;

export type WaitingLimits = Readonly<{
  /** The most requests in one queue. */
  requestsMax: number;
  waitMsMax: number;
}>;

export type WaitingParts = Readonly<{
  clock: Clock;
  live: Set<Live>;
  limits: WaitingLimits;
  /** Called when a request leaves the queue, with the time that it waited. */
  onWaited: (model: string, region: Region, ms: number) => void;
}>;

/**
 * `full`: no worker of the model has room. `full_for_it`: some have room, but have failed this
 * request or lack its log probabilities.
 */
export type NoRoom = 'full' | 'full_for_it';

/** A request that enters the queue. `find` looks for a worker and reserves a slot on it. */
export type Waiting<Found extends object> = Readonly<{
  organization: OrganizationId;
  promptTokens: number;
  reply: Reply;
  /** When a worker that it was sent to was first full. Null when it was not sent to any. */
  since: number | null;
  find: () => Found | Refusal | NoRoom;
}>;

export type WaitingByModel = Readonly<{ model: string; region: Region; length: number }>;

export class WaitingRoom<Found extends object> {
  readonly #parts: WaitingParts;
  readonly #lines = new Map<string, Line<Found>>();

  constructor(parts: WaitingParts) {
    this.#parts = parts;
  }

  /** The queues that there have been, with their lengths. */
  get lengths(): Iterable<WaitingByModel> {
    return this.#lines.values();
  }

  /** Whether the queue is empty. If not, new requests must not overtake those that wait. */
  isEmpty(model: string, region: Region): boolean {
    return (this.#lines.get(`${region} ${model}`)?.length ?? 0) === 0;
  }

  /**
   * Waits for a worker. Resolves to what `find` reserved, to a Refusal when the wait is over
   * without it, or to null when the client left.
   */
  wait(model: string, region: Region, waiting: Waiting<Found>): Promise<Found | Refusal | null> {
    const key = `${region} ${model}`;
    let line = this.#lines.get(key);
    if (!line) {
      line = new Line(model, region, this.#parts);
      this.#lines.set(key, line);
    }
    const waited = line.enter(waiting);
    this.room();
    return waited;
  }

  /**
   * Serves the queues, because some worker may have room now. Queues share workers, so they take
   * turns. A queue that was served goes last next time.
   */
  room(): void {
    let turns = [...this.#lines]
      .filter(([, line]) => line.length > 0)
      .map(([key, line]) => ({ key, line, going: line.going() }));
    while (turns.length > 0) {
      turns = turns.filter(({ key, line, going }) => {
        if (going.next().done) return false;
        this.#lines.delete(key);
        this.#lines.set(key, line);
        return true;
      });
    }
  }
}

type Outcome<Found extends object> = Found | Refusal | null;
type Waiter<Found extends object> = Waiting<Found> &
  Readonly<{ resolve: (outcome: Outcome<Found>) => void; fail: (error: unknown) => void }>;
type Organization<Found extends object> = { served: number; waiters: Set<Waiter<Found>> };

class Line<Found extends object> {
  readonly model: string;
  readonly region: Region;
  readonly #parts: WaitingParts;
  /** Organizations with requests in the queue. */
  readonly #organizations = new Map<OrganizationId, Organization<Found>>();
  #length = 0;
  /** Moving average of the ms between two departures. Null before the second. */
  #paceMs: number | null = null;
  #wentAt: number | null = null;

  constructor(model: string, region: Region, parts: WaitingParts) {
    this.model = model;
    this.region = region;
    this.#parts = parts;
  }

  get length(): number {
    return this.#length;
  }

  enter(waiting: Waiting<Found>): Promise<Outcome<Found>> {
    const { clock, limits, live, onWaited } = this.#parts;
    const entered = clock.monotonic();
    const since = waiting.since ?? entered;
    if (entered - since > limits.waitMsMax) return Promise.resolve(this.#overloaded());
    // A request that returns had a slot already, so the limit on length does not apply to it.
    const refusal = waiting.since === null ? this.#makePlace(waiting.organization) : null;
    if (refusal) return Promise.resolve(refusal);
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#remove(waiter);
        live.delete(standing);
        waiting.reply.ignore();
        onWaited(this.model, this.region, clock.monotonic() - entered);
      };
      const waiter: Waiter<Found> = {
        ...waiting,
        resolve: (outcome) => {
          leave();
          resolve(outcome);
        },
        fail: (error) => {
          leave();
          reject(error);
        },
      };
      const standing: Live = {
        organization: waiting.organization,
        tick: (now) => {
          if (now - since > limits.waitMsMax) waiter.resolve(this.#overloaded());
        },
        suspend: () => waiter.resolve(suspended()),
        abandon: () => waiter.resolve(new Refusal('store_unavailable', { retryAfterS: 1 })),
      };
      // The time in which nobody waited says nothing about the pace.
      if (this.#length === 0) this.#wentAt = null;
      this.#add(waiter);
      live.add(standing);
      waiting.reply.listen({ disconnected: () => waiter.resolve(null), drained: () => {} });
    });
  }

  /** Lets requests that find a worker leave the queue, one at each step. */
  *going(): Generator<void, void> {
    const asked = new Set<Waiter<Found>>();
    for (let waiter = this.#next(asked); waiter; waiter = this.#next(asked)) {
      const found = tryToFind(waiter);
      if (found === 'failed') continue;
      if (found === 'full') return;
      if (found === 'full_for_it') {
        asked.add(waiter);
        continue;
      }
      const organization = this.#organizations.get(waiter.organization);
      waiter.resolve(found);
      if (isRefusal(found)) continue;
      if (organization) organization.served += waiter.promptTokens + OUTPUT_TOKENS;
      this.#keepPace();
      yield;
    }
  }

  /** The first request that is not in `asked`, of the organization that was given the least. */
  #next(asked: ReadonlySet<Waiter<Found>>): Waiter<Found> | null {
    let next: Waiter<Found> | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const { served, waiters } of this.#organizations.values()) {
      if (served >= least) continue;
      for (const waiter of waiters) {
        if (asked.has(waiter)) continue;
        next = waiter;
        least = served;
        break;
      }
    }
    return next;
  }

  #add(waiter: Waiter<Found>): void {
    let organization = this.#organizations.get(waiter.organization);
    if (!organization) {
      // A new organization starts at the least that any other was given: arriving late gives no
      // advantage.
      const served = [...this.#organizations.values()].map((other) => other.served);
      organization = {
        served: served.length > 0 ? Math.min(...served) : 0,
        waiters: new Set(),
      };
      this.#organizations.set(waiter.organization, organization);
    }
    // A request that returns because its worker was full is the next of its organization.
    if (waiter.since === null) organization.waiters.add(waiter);
    else organization.waiters = new Set([waiter, ...organization.waiters]);
    this.#length += 1;
  }

  #remove(waiter: Waiter<Found>): void {
    const organization = this.#organizations.get(waiter.organization);
    if (!organization?.waiters.delete(waiter)) return;
    this.#length -= 1;
    if (organization.waiters.size === 0) this.#organizations.delete(waiter.organization);
  }

  #keepPace(): void {
    const now = this.#parts.clock.monotonic();
    if (this.#wentAt !== null) {
      const gap = now - this.#wentAt;
      this.#paceMs =
        this.#paceMs === null ? gap : this.#paceMs + PACE_WEIGHT * (gap - this.#paceMs);
    }
    this.#wentAt = now;
  }

  /**
   * Makes a place for one more request of the organization, if there is none. Returns why there can be
   * none, or null.
   */
  #makePlace(organization: OrganizationId): Refusal | null {
    const { requestsMax } = this.#parts.limits;
    if (this.#length < requestsMax) return null;
    const held = this.#organizations.get(organization)?.waiters.size ?? 0;
    const largest = this.#largest();
    if (largest && largest.size > held + 1) {
      [...largest].at(-1)?.resolve(queueShareTaken(this.#retryAfterS()));
      return null;
    }
    // One that is alone, or has no more than the others, is refused because there is no capacity.
    const organizations = this.#organizations.size;
    const isAboveShare = organizations > 1 && held > requestsMax / organizations;
    return isAboveShare ? queueShareTaken(this.#retryAfterS()) : this.#overloaded();
  }

  /** The requests of the organization with the most in the queue. Null if it is empty. */
  #largest(): ReadonlySet<Waiter<Found>> | null {
    let largest: ReadonlySet<Waiter<Found>> | null = null;
    for (const { waiters } of this.#organizations.values()) {
      if (waiters.size > (largest?.size ?? 0)) largest = waiters;
    }
    return largest;
  }

  #overloaded(): Refusal {
    return new Refusal('overloaded', { retryAfterS: this.#retryAfterS() });
  }

  /** When about half of the queue will have left. */
  #retryAfterS(): number {
    const seconds = ((this.#paceMs ?? 1_000) * this.#length) / 2 / 1_000;
    return Math.max(1, Math.ceil(seconds));
  }
}

/** An error ends this request only, and not the session or the request whose end made room. */
function tryToFind<Found extends object>(waiter: Waiter<Found>) {
  try {
    return waiter.find();
  } catch (error) {
    waiter.fail(error);
    return 'failed' as const;
  }
}
