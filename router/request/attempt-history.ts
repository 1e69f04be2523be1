/**
 * The history of a request's attempts: what they show about their workers, and about the request.
 *
 * A failure is reported to the breaker of its worker at once, with the organization of the request.
 * If the same request then fails on another worker, the request is to blame, and the report is
 * retracted: one customer's requests must not take workers away from the others. If there is no
 * other worker, the breaker considers which organizations' requests fail. A request during which
 * two workers died is not tried on a third.
 */
import type { Clock } from '../../shared/clock.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import { Refusal } from '../../shared/refusals.ts';
import type { Worker } from '../fleet/worker.ts';
import type { Outcome } from './outcome.ts';

const DEATHS_MAX = 2;

export class AttemptHistory {
  readonly #clock: Clock;
  readonly #organization: OrganizationId;
  readonly #failed = new Set<string>();
  /** The worker that this request first failed on, if its breaker counted the failure. */
  #blamed: Worker | null = null;
  /** Whether the last attempt failed for a context that is shorter than the catalog's. */
  #lacksContext = false;
  /** How many attempts failed for that. */
  #shortContexts = 0;
  /** The last failure of a worker that may have had the context. */
  #failure: Refusal | null = null;
  #suspects = 0;
  #deaths = 0;
  #refusals = 0;
  #fullSince: number | null = null;

  constructor(clock: Clock, organization: OrganizationId) {
    this.#clock = clock;
    this.#organization = organization;
  }

  /** Workers that have failed this request, and are not tried again. */
  get failed(): ReadonlySet<string> {
    return this.#failed;
  }

  /** Whether no further worker is tried. Engines refuse what exceeds their context before any work. */
  get isExhausted(): boolean {
    const others = this.#failed.size - this.#shortContexts;
    return others >= limits.attemptsMax || this.#shortContexts >= limits.shortContextsMax;
  }

  /** Whether `DEATHS_MAX` workers died during an attempt of the request. */
  get isDeadly(): boolean {
    return this.#deaths >= DEATHS_MAX;
  }

  /** How often an agent refused the request after it had reported room. */
  get refusals(): number {
    return this.#refusals;
  }

  /** When a picked worker had no room for the first time. Null when that has not happened. */
  get fullSince(): number | null {
    return this.#fullSince;
  }

  /** Records that a worker had no room. The request goes elsewhere or waits. No attempt is used. */
  refused(by: 'agent' | 'engine'): void {
    if (by === 'agent') this.#refusals += 1;
    this.#fullSince ??= this.#clock.monotonic();
  }

  /** Records how an attempt, begun at `begunAt`, has ended on its worker. */
  note(worker: Worker, begunAt: number, outcome: Outcome): void {
    if (outcome.kind === 'finished') return worker.breaker.succeeded(begunAt);
    if (outcome.kind !== 'failed') return;
    this.#failed.add(worker.id);
    this.#lacksContext = outcome.fault === 'short_context';
    if (this.#lacksContext) this.#shortContexts += 1;
    if (outcome.fault === 'none' || this.#lacksContext) return;
    this.#failure = outcome.refusal;
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

  /**
   * Whether `refusal`, with which no worker was picked, tells the client more than the attempts do.
   * It does if no attempt failed. It also does if the last engine's context was too short and
   * workers that are full may have a longer one.
   */
  isBetterExplainedBy({ code }: Refusal): boolean {
    return this.#failed.size === 0 || (this.#lacksContext && code !== 'no_worker');
  }

  /**
   * The refusal for the client: its last failure, or `workers_died`. If the last engine's context
   * was too short, but an earlier worker failed for another reason, returns that failure: the
   * earlier worker may have a longer context.
   */
  refusal(last: Refusal): Refusal {
    if (this.isDeadly) return new Refusal('workers_died');
    return this.#lacksContext ? (this.#failure ?? last) : last;
  }
}
