/**
 * What the attempts of one request say of their workers, and of the request itself.
 *
 * A failure is told to its worker's breaker at once, with the organization that sent the request. If the same request
 * then fails on another worker, the request is to blame and neither worker: what one customer sends must not take
 * workers from the others. Where there is no other worker the breaker looks at whose requests fail. A request under
 * which two workers died is not tried on a third.
 */
import type { Clock } from '../../shared/clock.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import { Refusal } from '../../shared/refusals.ts';
import type { Worker } from '../fleet/worker.ts';
import type { Outcome } from './outcome.ts';

const DEATHS_MAX = 2;

export class Trail {
  readonly #clock: Clock;
  readonly #organization: OrganizationId;
  readonly #failed = new Set<string>();
  /** The one worker that this request has failed on so far, if that was held against it. */
  #blamed: Worker | null = null;
  #suspects = 0;
  #deaths = 0;
  #refusals = 0;
  #fullSince: number | null = null;

  constructor(clock: Clock, organization: OrganizationId) {
    this.#clock = clock;
    this.#organization = organization;
  }

  /** Workers that this request is not to be tried on again. */
  get failed(): ReadonlySet<string> {
    return this.#failed;
  }

  /** Whether the request kills what it is given to. */
  get isDeadly(): boolean {
    return this.#deaths >= DEATHS_MAX;
  }

  /** How often an agent that said it had room did not take it. */
  get refusals(): number {
    return this.#refusals;
  }

  /** Since when it has been sent from one full worker to the next; null: it has not. */
  get fullSince(): number | null {
    return this.#fullSince;
  }

  /** A worker had no room for it: it goes elsewhere or waits, and has used up no attempt. */
  refused(by: 'agent' | 'engine'): void {
    if (by === 'agent') this.#refusals += 1;
    this.#fullSince ??= this.#clock.monotonic();
  }

  /** How an attempt that began then has ended on its worker. */
  note(worker: Worker, begunAt: number, outcome: Outcome): void {
    if (outcome.kind === 'finished') return worker.breaker.succeeded(begunAt);
    if (outcome.kind !== 'failed') return;
    this.#failed.add(worker.id);
    if (outcome.fault === 'none') return;
    if (outcome.fault === 'died') this.#deaths += 1;
    this.#suspects += 1;
    if (this.#suspects === 1) {
      const now = this.#clock.monotonic();
      const isCounted = worker.breaker.failed(this.#organization, begunAt, now);
      if (isCounted) this.#blamed = worker;
    } else {
      this.#blamed?.breaker.retract(this.#organization);
      this.#blamed = null;
    }
  }

  /** Why the request is not answered: its last failure, or what it has done to its workers. */
  refusal(last: Refusal): Refusal {
    if (!this.isDeadly) return last;
    // Clients' libraries send a 503 again by themselves.
    return new Refusal('workers_died', { headers: { 'x-should-retry': 'false' } });
  }
}
