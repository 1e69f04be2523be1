/**
 * How much of an answer has been granted to the agent: as many tokens as the hold covers, and more
 * bytes as the client reads (backpressure). Both are granted ahead of need, so that a stream does
 * not stall for money or for the network.
 */
import type { Clock } from '../../shared/clock.ts';
import { limits } from '../../shared/limits.ts';
import type { Grant } from '../../shared/wire/messages.ts';
import type { Hold } from '../ledger/hold.ts';
import { StoreUnavailable } from '../ledger/terms.ts';

/** Delay before a failed extension of the hold is retried. Until then the stream uses its grant. */
const EXTEND_AGAIN_MS = 1_000;

export class Allowance {
  readonly #clock: Clock;
  readonly #hold: Hold;
  readonly #send: (grant: Grant) => void;
  /** Called when the hold no longer exists, because another router has declared this one dead. */
  readonly #lost: () => void;
  readonly #uncovered: (fault: Error) => void;
  #tokens: number;
  /** The largest grant that was ever sent. An agent that stays within it is not at fault. */
  #largest: number;
  #bytes: number = limits.streamWindowBytes;
  /** What the agent was told last about tokens: with the `open`, or with a grant. */
  #told: Readonly<{ tokens: number; final: boolean }>;
  /** Prompt tokens as counted by the engine, and the most completion tokens of this answer. */
  #prompt = 0;
  #cap = 0;
  #used = 0;
  /** The count at which the hold is extended. Infinite during an extension and after the last. */
  #extendAt = Number.POSITIVE_INFINITY;
  #closed = false;

  constructor(parts: {
    clock: Clock;
    hold: Hold;
    /** Tokens granted with the `open`, and whether they are the last. */
    granted: Readonly<{ tokens: number; final: boolean }>;
    send: (grant: Grant) => void;
    lost: () => void;
    /** Called when more is granted than the hold covers. The request must end unsettled. */
    uncovered: (fault: Error) => void;
  }) {
    this.#clock = parts.clock;
    this.#hold = parts.hold;
    this.#tokens = parts.granted.tokens;
    this.#largest = parts.granted.tokens;
    this.#told = parts.granted;
    this.#send = parts.send;
    this.#lost = parts.lost;
    this.#uncovered = parts.uncovered;
  }

  /** Completion tokens granted now: no more may be released to the client or charged. */
  get tokens(): number {
    return this.#tokens;
  }

  /** The largest grant that was sent at any time. */
  get largest(): number {
    return this.#largest;
  }

  /**
   * Extends the hold to cover the counted prompt and the tokens granted so far, and grants what it
   * covers. Returns `open` at once when the hold covers them already, which is the usual case.
   * Otherwise resolves to `short` when the credit or a cap does not suffice, and to
   * `unavailable` when the store does not answer or the hold is gone.
   */
  open(prompt: number, cap: number): 'open' | Promise<'open' | 'short' | 'unavailable'> {
    this.#prompt = prompt;
    this.#cap = cap;
    // The first grant was made before the prompt was counted, and may exceed the room in the
    // context.
    this.#tokens = Math.min(this.#tokens, cap);
    const needed = Math.max(1, this.#tokens);
    if (this.#hold.tokensCovered(prompt) < needed) return this.#fit(needed);
    this.#grantCovered();
    return 'open';
  }

  async #fit(needed: number): Promise<'open' | 'short' | 'unavailable'> {
    const covered = await this.#cover(needed);
    if (covered === 'gone' || covered === 'unknown') return 'unavailable';
    if (covered < needed) return 'short';
    if (!this.#closed) this.#grantCovered();
    return 'open';
  }

  /** Hot path. Reports that the answer has reached this count. */
  used(completion: number): void {
    this.#used = completion;
    if (completion >= this.#extendAt) void this.#extend();
  }

  /** Extends the hold, because the agent holds back a chunk that exceeds the rest of the grant. */
  starved(): void {
    if (this.#extendAt !== Number.POSITIVE_INFINITY) void this.#extend();
  }

  /** Hot path. Reports the bytes that the client has read in total; grants more as it reads. */
  taken(bytes: number): void {
    const window = bytes + limits.streamWindowBytes;
    if (window - this.#bytes < limits.streamWindowBytes / 2) return;
    this.#bytes = window;
    this.#grant(this.#told.final);
  }

  /** Stops granting. */
  close(): void {
    this.#closed = true;
  }

  /** Extends the hold. This happens while half of the grant is still unused. */
  async #extend(): Promise<void> {
    this.#extendAt = Number.POSITIVE_INFINITY;
    const covered = await this.#cover(Math.min(this.#cap, this.#tokens + limits.sliceTokens));
    if (this.#closed) return;
    if (covered === 'gone') return this.#lost();
    if (covered === 'unknown') {
      this.#clock.after(EXTEND_AGAIN_MS, () => {
        if (!this.#closed) void this.#extend();
      });
      return;
    }
    // The credit pays for no more tokens, so the answer ends here with `length`.
    if (covered <= this.#tokens) this.#cap = this.#tokens;
    this.#grantCovered();
  }

  async #cover(completion: number): Promise<number | 'gone' | 'unknown'> {
    try {
      return await this.#hold.cover(this.#prompt, completion);
    } catch (error) {
      // Any other error is a bug. Nobody handles a rejection of this promise, so the answer ends
      // unsettled.
      return error instanceof StoreUnavailable ? 'unknown' : 'gone';
    }
  }

  #grantCovered(): void {
    const covered = this.#hold.tokensCovered(this.#prompt);
    const tokens = Math.min(this.#cap, Math.max(this.#tokens, covered));
    try {
      this.#hold.assertCovers(this.#prompt, tokens);
    } catch (fault) {
      return this.#uncovered(fault as Error);
    }
    const final = tokens >= this.#cap;
    this.#tokens = tokens;
    const unused = tokens - this.#used;
    this.#extendAt = final ? Number.POSITIVE_INFINITY : tokens - Math.floor(unused / 2);
    if (tokens !== this.#told.tokens || final !== this.#told.final) this.#grant(final);
  }

  #grant(final: boolean): void {
    this.#largest = Math.max(this.#largest, this.#tokens);
    this.#told = { tokens: this.#tokens, final };
    this.#send({ ...this.#told, bytes: this.#bytes });
  }
}
