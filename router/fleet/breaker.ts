/**
 * The circuit breaker of a worker: whether a worker that keeps failing gets requests.
 *
 *   closed ──failures──▶ open ──after a pause──▶ probing ──it generates──▶ returning ──successes──▶ closed
 *                         ▲─────────it does not────┘                          │
 *                         └────────────────────failures───────────────────────┘
 *
 * Consecutive failures open the breaker at once if requests of several organizations failed. Failed
 * requests of a single organization do not open it, because these requests may themselves be the
 * cause. Instead a probe checks the worker, which keeps serving, and only a failed probe opens the
 * breaker.
 *
 * A worker that returns may use an eighth of its slots, and twice as many after each success.
 *
 * A failed attempt that began before the last counted failure is not counted: a process that dies
 * during two hundred streams has failed once. `request/attempt-history.ts` decides which failures
 * are the worker's.
 */
import { backoffMs } from '../../shared/backoff.ts';

export const BREAKER_STATES = ['closed', 'open', 'probing', 'returning'] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

const NEXT: Readonly<Record<BreakerState, readonly BreakerState[]>> = {
  closed: ['open'],
  open: ['probing'],
  probing: ['open', 'returning'],
  returning: ['open', 'closed'],
};

/** Consecutive failures that count, and the longest time from one to the next. */
const FAILURES_MAX = { closed: 3, returning: 1 } as const;
const ROW_MS_MAX = 60_000;
/** Of more consecutive failures, only the last are kept. */
const ROW_LENGTH_MAX = 16;
/**
 * The pause before a probe: none before the first, which distinguishes a broken worker from bad
 * requests, then `first`, doubled after each failed probe, up to `most`.
 */
const PAUSE_MS = { first: 1_000, most: 30_000 } as const;
const FIRST_SHARE = 1 / 8;
/** Consecutive failures open a breaker when requests of this many organizations or more failed. */
const ORGANIZATIONS_MIN = 2;

/** The result of a probe. `unknown` means that the worker had no room for it. */
export type ProbeResult = 'generated' | 'failed' | 'unknown';

export class Breaker {
  readonly #onTransition: (to: BreakerState) => void;
  #state: BreakerState = 'closed';
  /** The organizations of the consecutive failures since the last success, newest last. */
  #failures: string[] = [];
  #failedAt = Number.NEGATIVE_INFINITY;
  #returnedAt = 0;
  /** How often the breaker has opened since it was last closed. */
  #openings = 0;
  #probeAt = 0;
  #share = 1;
  /** The check by probe of a worker that goes on serving: whether one is wanted or running. */
  #check: 'none' | 'wanted' | 'running' = 'none';

  constructor(onTransition: (to: BreakerState) => void = () => {}) {
    this.#onTransition = onTransition;
  }

  get state(): BreakerState {
    return this.#state;
  }

  /** The share of its slots that the worker may fill, from 0 (no requests) to 1. */
  get share(): number {
    return this.#share;
  }

  /** Reports a failed attempt of this organization. Returns whether the failure was counted. */
  failed(organization: string, begunAt: number, now: number): boolean {
    const state = this.#state;
    const takesRequests = state === 'closed' || state === 'returning';
    if (!takesRequests || begunAt <= this.#failedAt) return false;
    if (now - this.#failedAt > ROW_MS_MAX) this.#failures = [];
    this.#failures.push(organization);
    if (this.#failures.length > ROW_LENGTH_MAX) this.#failures.shift();
    this.#failedAt = now;
    if (this.#failures.length < FAILURES_MAX[state]) return true;
    if (new Set(this.#failures).size >= ORGANIZATIONS_MIN) this.#open(now);
    else if (this.#check === 'none') this.#check = 'wanted';
    return true;
  }

  /** Retracts the last counted failure of this organization: the request itself was the cause. */
  retract(organization: string): void {
    const last = this.#failures.lastIndexOf(organization);
    if (last < 0) return;
    this.#failures.splice(last, 1);
    if (this.#failures.length === 0 && this.#check === 'wanted') this.#check = 'none';
  }

  /** Reports that an attempt begun at `begunAt` succeeded. */
  succeeded(begunAt: number): void {
    this.#failures = [];
    if (this.#state !== 'returning' || begunAt < this.#returnedAt) return;
    this.#share = Math.min(1, this.#share * 2);
    if (this.#share < 1) return;
    this.#openings = 0;
    this.#become('closed');
  }

  /** Ends the pause before the next probe, because the worker has become ready again. */
  revived(): void {
    this.#probeAt = 0;
  }

  /** Whether a probe is due. */
  isDue(now: number): boolean {
    return (this.#state === 'open' || this.#check === 'wanted') && now >= this.#probeAt;
  }

  probing(): void {
    if (this.#state === 'open') this.#become('probing');
    else this.#check = 'running';
  }

  probed(result: ProbeResult, now: number): void {
    if (this.#state === 'probing') return this.#tried(result, now);
    // Other failures have opened the breaker since the check began, so its result does not matter.
    if (this.#check !== 'running') return;
    this.#probeAt = now + PAUSE_MS.first;
    if (result === 'failed') return this.#open(now);
    this.#check = result === 'generated' ? 'none' : 'wanted';
    if (result === 'generated') this.#failures = [];
  }

  #tried(result: ProbeResult, now: number): void {
    if (result === 'failed') return this.#open(now);
    if (result === 'unknown') {
      this.#probeAt = now + PAUSE_MS.first;
      return this.#become('open');
    }
    this.#failures = [];
    this.#returnedAt = now;
    this.#share = FIRST_SHARE;
    this.#become('returning');
  }

  #open(now: number): void {
    this.#probeAt = this.#openings === 0 ? now : now + backoffMs(this.#openings, PAUSE_MS);
    this.#openings += 1;
    this.#failures = [];
    this.#check = 'none';
    this.#share = 0;
    this.#become('open');
  }

  #become(to: BreakerState): void {
    if (!NEXT[this.#state].includes(to)) {
      throw new Error(`a breaker went from ${this.#state} to ${to}`);
    }
    this.#state = to;
    this.#onTransition(to);
  }
}
