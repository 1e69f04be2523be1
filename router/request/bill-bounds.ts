/**
 * How much a host may bill for one request, by what the router itself has seen of it (MONEY 18).
 * There are at most as many prompt tokens as the request has bytes, plus an allowance for the chat
 * template. There are at most as many completion tokens as bytes were delivered, plus an allowance
 * for markers, unless reasoning is withheld. Anything above is not charged. A report far above it
 * raises an alarm at once. When requests of three organizations have had such reports within ten
 * minutes, the worker is drained.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../shared/clock.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import type { Log } from '../../shared/log.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Worker } from '../fleet/worker.ts';
import type { Alarms } from '../metering/alarms.ts';
import { SUBJECTS_MAX, type TokenKind } from '../metering/subject.ts';
import { type OverheadLimits, TokenOverheads } from '../metering/token-overheads.ts';
import type { ParsedRequest } from './arrive.ts';

/** A report is gross if it is more than `ratio` times the bound and more than `tokens` above it. */
const GROSS = { ratio: 3, tokens: 256 } as const;
/**
 * A customer may ask for tokens without text (stop sequences, special tokens, calls that no parser
 * accepts), and one organization alone must not take a worker away from the others. So a worker is
 * drained only when this many organizations have seen a gross report within this time.
 */
const WITNESSES = { organizations: 3, withinMs: 10 * 60_000 } as const;

export const BILL_LIMITS: OverheadLimits = {
  prompt: { least: limits.templateTokensEstimate, most: limits.templateTokensMax },
  completion: { least: limits.markerTokensEstimate, most: limits.markerTokensMax },
};

type BillBoundsParts = Readonly<{
  alarms: Pick<Alarms, 'raise'>;
  clock: Clock;
  fleet: Pick<Fleet, 'drainWorker'>;
  log: Log;
}>;

/** A request and its worker. */
export type Billed = Readonly<{
  parsed: ParsedRequest;
  organization: OrganizationId;
  worker: Pick<Worker, 'id' | 'agent'>;
}>;

export class BillBounds {
  readonly #parts: BillBoundsParts;
  readonly #overheads: TokenOverheads;
  /** By worker: the organizations that got gross reports, and when. */
  readonly #witnesses = new LRUCache<string, LRUCache<OrganizationId, number>>({
    max: SUBJECTS_MAX,
  });

  constructor(parts: BillBoundsParts, overheads: OverheadLimits = BILL_LIMITS) {
    this.#parts = parts;
    this.#overheads = new TokenOverheads(overheads);
  }

  promptMost({ model, promptTokensMax }: ParsedRequest): number {
    const overhead = this.#overheads.of(model.entry.id, 'prompt');
    return promptTokensMax - limits.templateTokensMax + overhead;
  }

  /**
   * The most completion tokens for `bytes` delivered. Infinite where reasoning is withheld, which
   * only the host has seen.
   */
  completionMost({ model, reasoningWithheld }: ParsedRequest, bytes: number): number {
    if (reasoningWithheld) return Number.POSITIVE_INFINITY;
    return bytes + this.#overheads.of(model.entry.id, 'completion');
  }

  /** Judges a host's count for a request: learns from it, and raises an alarm when it is gross. */
  judge(
    { parsed, organization, worker }: Billed,
    which: TokenKind,
    reported: number,
    most: number,
  ): void {
    if (most === Number.POSITIVE_INFINITY) return;
    const model = parsed.model.entry.id;
    const explained = most - this.#overheads.of(model, which);
    this.#overheads.learn(model, which, worker.agent, reported - explained);
    if (reported <= most * GROSS.ratio || reported - most <= GROSS.tokens) return;
    const { id, agent } = worker;
    const ratio = reported / Math.max(1, most);
    const kind = `${which}_inflated` as const;
    this.#parts.alarms.raise({ worker: id, agent, model, kind, by: 'bound', ratio, samples: 1 });
    if (!this.#isWitnessed(id, organization)) return;
    this.#parts.log.error(
      { worker: id, agent, model, kind, reported, most },
      'worker reported far more tokens than the request can have and was drained',
    );
    this.#parts.fleet.drainWorker(id);
    // The agent reports the drain again when it reconnects. If it was restarted, the worker is
    // trusted until as many organizations get gross reports again.
    this.#witnesses.delete(id);
  }

  #isWitnessed(worker: string, organization: OrganizationId): boolean {
    const now = this.#parts.clock.monotonic();
    const { organizations, withinMs } = WITNESSES;
    const seen =
      this.#witnesses.get(worker) ?? new LRUCache<OrganizationId, number>({ max: organizations });
    this.#witnesses.set(worker, seen);
    seen.set(organization, now);
    return [...seen.values()].filter((at) => now - at <= withinMs).length >= organizations;
  }
}
