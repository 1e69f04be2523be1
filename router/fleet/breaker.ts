/**
 * Whether a worker that keeps failing gets requests: states as data, with one door.
 *
 *   closed ──failures──▶ open ──after a pause──▶ probing ──it generates──▶ returning ──successes──▶ closed
 *                         ▲─────────it does not────┘                          │
 *                         └────────────────────failures───────────────────────┘
 *
 * Failures in a row open it at once if they are of several organizations' requests. What one organization sends may
 * be the cause itself, so failures of its requests alone open nothing: the worker is checked with a probe while it goes
 * on serving, and only a probe that fails opens the breaker.
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

/** Failures in a row that count, none later than so long after the one before. */
const FAILURES_MAX = { closed: 3, returning: 1 } as const;
const ROW_MS_MAX = 60_000;
/** Of a longer row the first are forgotten. */
const ROW_LENGTH_MAX = 16;
/** The first probe comes at once: it tells a sick worker from requests that were bad. */
const PAUSE_MS = { first: 1_000, most: 30_000 } as const;
const FIRST_SHARE = 1 / 8;
/** Of how many organizations the requests must be whose failures open a breaker. */
const ORGANIZATIONS_MIN = 2;

/** What a probe has shown: `unknown` where the worker had no room for it. */
export type ProbeResult = 'generated' | 'failed' | 'unknown';

export class Breaker {
  readonly #onTurn: (to: BreakerState) => void;
  #state: BreakerState = 'closed';
  /** The failures in a row while it takes requests: of whose requests each was, the last one last. */
  #failures: string[] = [];
  #failedAt = Number.NEGATIVE_INFINITY;
  #returnedAt = 0;
  /** Openings since it was last closed. */
  #openings = 0;
  #probeAt = 0;
  #share = 1;
  /** While it takes requests: whether a probe is to say if it works, or is just about to. */
  #check: 'none' | 'wanted' | 'running' = 'none';

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

  /** An attempt of this organization that began then has failed now; whether that was counted. */
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

  /** The last failure that was counted of this organization's requests turned out to be the request's own. */
  retract(organization: string): void {
    const last = this.#failures.lastIndexOf(organization);
    if (last < 0) return;
    this.#failures.splice(last, 1);
    if (this.#failures.length === 0 && this.#check === 'wanted') this.#check = 'none';
  }

  /** An attempt that began then has come to a good end. */
  succeeded(begunAt: number): void {
    this.#failures = [];
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
    return (this.#state === 'open' || this.#check === 'wanted') && now >= this.#probeAt;
  }

  probing(): void {
    if (this.#state === 'open') this.#become('probing');
    else this.#check = 'running';
  }

  probed(result: ProbeResult, now: number): void {
    if (this.#state === 'probing') return this.#tried(result, now);
    // Of a check that other failures have overtaken nothing is left to be said.
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
    const pause = PAUSE_MS.first * 2 ** (this.#openings - 1);
    this.#probeAt = this.#openings === 0 ? now : now + Math.min(PAUSE_MS.most, pause);
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
    this.#onTurn(to);
  }
}
