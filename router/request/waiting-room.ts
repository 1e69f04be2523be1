/**
 * Where a request waits when every worker of its model is full: one line for each model and region, bounded in
 * length and time, and fair between organizations. Whenever there may be room, the organization that was given
 * the fewest tokens while it waited goes first, so that a thousand requests of one do not stand before ten of
 * another (a virtual token counter, as in "Fairness in Serving Large Language Models", OSDI 2024).
 */
import type { Clock } from '../../shared/clock.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import { isRefusal, Refusal } from '../../shared/refusals.ts';
import type { Region } from '../../shared/wire/messages.ts';
import { OUTPUT_TOKENS } from '../fleet/flight.ts';
import { type Live, suspended } from './live.ts';
import type { Reply } from './reply.ts';

const RETRY_AFTER_S_MAX = 60;
/** How much of the line's pace each departure is taken to tell. */
const PACE_WEIGHT = 0.1;

export type WaitingLimits = Readonly<{
  /** Requests in one line. */
  requestsMax: number;
  waitMsMax: number;
}>;

export type WaitingParts = Readonly<{
  clock: Clock;
  live: Set<Live>;
  limits: WaitingLimits;
  /** A request has gone on or given up: how long it waited. */
  onWaited: (model: string, ms: number) => void;
}>;

/** There is no room yet: for nobody, or for none but others, as what has room has failed this request. */
export type NoRoom = 'full' | 'full_for_it';

/** What a request brings to its line. `find` takes what it finds. */
export type Waiting<Found extends object> = Readonly<{
  organization: OrganizationId;
  promptTokens: number;
  reply: Reply;
  /** Since when it has found one worker after the other full; null: it has not been sent to any. */
  since: number | null;
  find: () => Found | Refusal | NoRoom;
}>;

export class WaitingRoom<Found extends object> {
  readonly #parts: WaitingParts;
  readonly #lines = new Map<string, Line<Found>>();

  constructor(parts: WaitingParts) {
    this.#parts = parts;
  }

  /** Requests that wait, by model. */
  lengths(): Map<string, number> {
    const lengths = new Map<string, number>();
    for (const { model, length } of this.#lines.values()) {
      lengths.set(model, (lengths.get(model) ?? 0) + length);
    }
    return lengths;
  }

  /** Whether somebody waits already: then nobody goes before them. */
  isEmpty(model: string, region: Region): boolean {
    return (this.#lines.get(`${region} ${model}`)?.length ?? 0) === 0;
  }

  /** Resolves when there is something to be had, or none is to be hoped for; null: the client left. */
  wait(model: string, region: Region, waiting: Waiting<Found>): Promise<Found | Refusal | null> {
    const key = `${region} ${model}`;
    let line = this.#lines.get(key);
    if (!line) {
      line = new Line(model, this.#parts);
      this.#lines.set(key, line);
    }
    const waited = line.enter(waiting);
    this.room();
    return waited;
  }

  /** Some worker may have room now. Lines share workers: one of each goes in turn, and what went is last next time. */
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
  readonly #parts: WaitingParts;
  /** Those with somebody in the line. */
  readonly #organizations = new Map<OrganizationId, Organization<Found>>();
  #length = 0;
  /** Between two that went on, smoothed; null before the first two. */
  #paceMs: number | null = null;
  #wentAt: number | null = null;

  constructor(model: string, parts: WaitingParts) {
    this.model = model;
    this.#parts = parts;
  }

  get length(): number {
    return this.#length;
  }

  enter(waiting: Waiting<Found>): Promise<Outcome<Found>> {
    const { clock, limits, live, onWaited } = this.#parts;
    const entered = clock.monotonic();
    const since = waiting.since ?? entered;
    // Whoever comes back had its place in the line.
    const isFull = waiting.since === null && this.#length >= limits.requestsMax;
    if (isFull || entered - since > limits.waitMsMax) return Promise.resolve(this.#overloaded());
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#remove(waiter);
        live.delete(standing);
        waiting.reply.listen({ left: () => {}, drained: () => {} });
        onWaited(this.model, clock.monotonic() - entered);
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
      // The time in which nobody waited tells nothing of the pace.
      if (this.#length === 0) this.#wentAt = null;
      this.#add(waiter);
      live.add(standing);
      waiting.reply.listen({ left: () => waiter.resolve(null), drained: () => {} });
    });
  }

  /** Lets go whoever may, one at each step. */
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

  /** The first of the organization that was given least, of those not asked yet. */
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
      // As if it had been given as much as whoever has least: coming late is no merit.
      const served = [...this.#organizations.values()].map((other) => other.served);
      organization = {
        served: served.length > 0 ? Math.min(...served) : 0,
        waiters: new Set(),
      };
      this.#organizations.set(waiter.organization, organization);
    }
    // Whoever has had its turn, and found its worker full, is the next of its organization.
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

  /** Come back when about half of the line will have gone. */
  #overloaded(): Refusal {
    const seconds = ((this.#paceMs ?? 1_000) * this.#length) / 2 / 1_000;
    const retryAfterS = Math.min(RETRY_AFTER_S_MAX, Math.max(1, Math.ceil(seconds)));
    return new Refusal('overloaded', { retryAfterS });
  }
}

/** Our mistake ends that request alone, and not the session or the request whose end made the room. */
function tryToFind<Found extends object>(waiter: Waiter<Found>) {
  try {
    return waiter.find();
  } catch (error) {
    waiter.fail(error);
    return 'failed' as const;
  }
}
