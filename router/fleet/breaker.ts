/**
 * Whether a worker that keeps failing gets requests: states as data, with one door.
 *
 *   closed ──failures in a row──▶ open ──after a pause──▶ probing ──it generates──▶ returning ──successes──▶ closed
 *                                  ▲─────────it does not────┘                          │
 *                                  └───────────────────────a failure───────────────────┘
 *
 * A worker that comes back takes an eighth of its slots, and twice as many with each answer that succeeds.
 *
 * What began before the last failure that was counted says nothing new: a process that dies under two hundred
 * streams has failed once. Whose fault a failure is, the request's trail says (`request/trail.ts`).
 */
export const BREAKER_STATES = ['closed', 'open', 'probing', 'returning'] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

const NEXT: Readonly<Record<BreakerState, readonly BreakerState[]>> = {
  closed: ['open'],
  open: ['probing'],
  probing: ['open', 'returning'],
  returning: ['open', 'closed'],
};

/** Failures in a row that open it, none later than so long after the one before. */
const FAILURES_MAX = 3;
const ROW_MS_MAX = 60_000;
/** The first probe comes at once: it tells a sick worker from requests that were bad. */
const PAUSE_MS = { first: 1_000, most: 30_000 } as const;
const FIRST_SHARE = 1 / 8;

export class Breaker {
  readonly #onTurn: (to: BreakerState) => void;
  #state: BreakerState = 'closed';
  /** In a row, while it is closed. */
  #failures = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  #returnedAt = 0;
  /** Openings since it was last closed. */
  #openings = 0;
  #probeAt = 0;
  #share = 1;

  constructor(onTurn: (to: BreakerState) => void = () => {}) {
    this.#onTurn = onTurn;
  }

  get state(): BreakerState {
    return this.#state;
  }

  /** How much of its slots the worker may fill: 0 while it gets nothing. */
  get share(): number {
    return this.#share;
  }

  /** An attempt that began then has failed now; whether that was counted. */
  failed(begunAt: number, now: number): boolean {
    const takesWork = this.#state === 'closed' || this.#state === 'returning';
    if (!takesWork || begunAt <= this.#failedAt) return false;
    this.#failures = now - this.#failedAt > ROW_MS_MAX ? 1 : this.#failures + 1;
    this.#failedAt = now;
    if (this.#state === 'returning' || this.#failures >= FAILURES_MAX) this.#open(now);
    return true;
  }

  /** The last failure that was counted turned out to be the request's own. */
  retract(): void {
    if (this.#state === 'closed' && this.#failures > 0) this.#failures -= 1;
  }

  /** An attempt that began then has come to a good end. */
  succeeded(begunAt: number): void {
    this.#failures = 0;
    if (this.#state !== 'returning' || begunAt < this.#returnedAt) return;
    this.#share = Math.min(1, this.#share * 2);
    if (this.#share < 1) return;
    this.#openings = 0;
    this.#become('closed');
  }

  /** The worker is ready anew: it need not wait for its next probe. */
  revived(): void {
    this.#probeAt = 0;
  }

  /** Whether it is to be probed now. */
  isDue(now: number): boolean {
    return this.#state === 'open' && now >= this.#probeAt;
  }

  probing(): void {
    this.#become('probing');
  }

  /** The worker has generated a token, or has not. */
  probed(generated: boolean, now: number): void {
    if (!generated) return this.#open(now);
    this.#failures = 0;
    this.#returnedAt = now;
    this.#share = FIRST_SHARE;
    this.#become('returning');
  }

  #open(now: number): void {
    const pause = PAUSE_MS.first * 2 ** (this.#openings - 1);
    this.#probeAt = this.#openings === 0 ? now : now + Math.min(PAUSE_MS.most, pause);
    this.#openings += 1;
    this.#failures = 0;
    this.#share = 0;
    this.#become('open');
  }

  #become(to: BreakerState): void {
    if (!NEXT[this.#state].includes(to)) {
      throw new Error(`a breaker went from ${this.#state} to ${to}`);
    }
    this.#state = to;
    this.#onTurn(to);
  }
}
