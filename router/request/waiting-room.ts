/**
 * The queue for requests whose workers are all full: one queue for each model and region, with
 * limits on length and time, fair between organizations. When there may be room, the organization
 * that was given the fewest tokens while it waited goes first, so that a thousand requests of one
 * organization do not delay ten of another (a virtual token counter, as in "Fairness in Serving
 * Large Language Models", OSDI 2024). One organization may take all places while no other waits. When
 * they are all taken, a request of an organization with fewer takes the place of the newest request of
 * the one with the most. A request that a full worker gave back enters a full queue, too, and is the next
 * of its organization: there are no more of them than workers took at once.
 */
import type { Clock } from '../../shared/clock.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import type { InFlight } from '../../shared/in-flight.ts';
import { isRefusal, Refusal } from '../../shared/refusals.ts';
import type { Region } from '../../shared/region.ts';
import { OUTPUT_TOKENS } from '../routing/in-flight-request.ts';
import { crowdsQueue } from './limited.ts';
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
  live: InFlight<Live>;
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
  /** When a worker that it was sent to first gave it back, because it was full. Null when none did. */
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
    // A worker may have got room that nobody reported. Those that wait have it before this one.
    if (line.isFull) this.room();
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

  get isFull(): boolean {
    return this.#length >= this.#parts.limits.requestsMax;
  }

  enter(waiting: Waiting<Found>): Promise<Outcome<Found>> {
    const { clock, limits, live, onWaited } = this.#parts;
    const entered = clock.monotonic();
    const since = waiting.since ?? entered;
    if (entered - since > limits.waitMsMax) return Promise.resolve(this.#overloaded());
    if (waiting.since === null && this.isFull) {
      // A worker may have room that none in the queue can use.
      const found = waiting.find();
      if (typeof found !== 'string') return Promise.resolve(found);
      const refusal = this.#makePlace(waiting.organization);
      if (refusal) return Promise.resolve(refusal);
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#remove(waiter);
        live.delete(place, standing);
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
      const place = live.add(standing);
      waiting.reply.listen({ disconnected: () => waiter.resolve(null), drained: () => {} });
    });
  }

  /** Lets requests that find a worker leave the queue, one at each step. */
  *going(): Generator<void, void> {
    const queues = [...this.#organizations.values()].map(
      (organization) => new Queue<Found>(organization),
    );
    for (let queue = leastServed(queues); queue?.first; queue = leastServed(queues)) {
      const waiter = queue.first;
      const found = tryToFind(waiter);
      if (found === 'full') return;
      queue.advance();
      if (found === 'failed' || found === 'full_for_it') continue;
      waiter.resolve(found);
      if (isRefusal(found)) continue;
      queue.organization.served += waiter.promptTokens + OUTPUT_TOKENS;
      this.#keepPace();
      yield;
    }
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
    // A request that a full worker gave back is the next of its organization, after those before it.
    if (waiter.since === null) {
      organization.waiters.add(waiter);
    } else {
      const { given = [], others = [] } = Object.groupBy(organization.waiters, ({ since }) =>
        since === null ? 'others' : 'given',
      );
      organization.waiters = new Set([...given, waiter, ...others]);
    }
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

  /** Makes a place in a full queue for a request of the organization. Null if there is one now. */
  #makePlace(organization: OrganizationId): Refusal | null {
    const own = this.#organizations.get(organization)?.waiters.size ?? 0;
    const others = [...this.#organizations]
      .filter(([other]) => other !== organization)
      .map(([, { waiters }]) => waiters)
      .toSorted((one, another) => another.size - one.size);
    for (const waiters of others) {
      if (waiters.size <= own + 1) break;
      const newest = [...waiters].at(-1);
      if (newest?.since !== null) continue;
      newest.resolve(crowdsQueue(this.#retryAfterS()));
      return null;
    }
    // One that is alone, or has no more than others, is refused because there is no capacity.
    const [most] = others;
    const isCrowding = most !== undefined && own > most.size + 1;
    return isCrowding ? crowdsQueue(this.#retryAfterS()) : this.#overloaded();
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

/** The requests of one organization, from its first on, while the line is going. */
class Queue<Found extends object> {
  readonly organization: Organization<Found>;
  readonly #rest: Iterator<Waiter<Found>>;
  /** The next one. Undefined once all were asked. */
  first: Waiter<Found> | undefined;

  constructor(organization: Organization<Found>) {
    this.organization = organization;
    this.#rest = organization.waiters.values();
    this.advance();
  }

  advance(): void {
    const { done, value } = this.#rest.next();
    this.first = done ? undefined : value;
  }
}

/** The queue whose organization was given the least, of those with requests that were not asked. */
function leastServed<Found extends object>(queues: readonly Queue<Found>[]): Queue<Found> | null {
  let least: Queue<Found> | null = null;
  for (const queue of queues) {
    if (!queue.first) continue;
    if (least === null || queue.organization.served < least.organization.served) least = queue;
  }
  return least;
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
