/**
 * What an answer may have so far: tokens as the credit pays for them, bytes as the client takes them. Both are
 * granted to the agent ahead of their use, so that a stream stalls neither for money nor for the network.
 */
import type { Clock } from '../../shared/clock.ts';
import { limits } from '../../shared/limits.ts';
import type { Grant } from '../../shared/wire/messages.ts';
import type { Hold } from '../ledger/hold.ts';
import { StoreUnavailable } from '../ledger/terms.ts';

/** A store that does not answer is asked again after this, while the stream lives on its grant. */
const EXTEND_AGAIN_MS = 1_000;

export class Allowance {
  readonly #clock: Clock;
  readonly #hold: Hold;
  readonly #send: (grant: Grant) => void;
  /** The hold is gone: another router took this one for dead. */
  readonly #lost: () => void;
  readonly #uncovered: (fault: Error) => void;
  #tokens: number;
  /** The most that the agent was ever told: what it has sent within that is no fault of its own. */
  #told: number;
  #bytes: number = limits.streamWindowBytes;
  #final = false;
  /** The prompt as the engine counted it, and the most tokens this answer may have. */
  #prompt = 0;
  #cap = 0;
  #used = 0;
  /** The count at which more is asked for; infinite while asking, and once nothing more can come. */
  #extendAt = Number.POSITIVE_INFINITY;
  #closed = false;

  constructor(parts: {
    clock: Clock;
    hold: Hold;
    /** Tokens granted with the `open`. */
    granted: number;
    send: (grant: Grant) => void;
    lost: () => void;
    /** More is granted than is held: nothing more may be, and the request is to end unsettled. */
    uncovered: (fault: Error) => void;
  }) {
    this.#clock = parts.clock;
    this.#hold = parts.hold;
    this.#tokens = parts.granted;
    this.#told = parts.granted;
    this.#send = parts.send;
    this.#lost = parts.lost;
    this.#uncovered = parts.uncovered;
  }

  /** The completion tokens that this answer may have as far as is known: no more is released or charged. */
  get tokens(): number {
    return this.#tokens;
  }

  /** The most that was granted at any time. */
  get told(): number {
    return this.#told;
  }

  /**
   * Makes the hold fit the true prompt and what was already granted, and grants what it pays for. Answers at
   * once when it fits as it is, which is the rule.
   */
  open(prompt: number, cap: number): 'open' | Promise<'open' | 'short' | 'unavailable'> {
    this.#prompt = prompt;
    this.#cap = cap;
    // What was granted before the prompt was known may be more than there is room for.
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

  /** Hot path. The answer has come to this count. */
  used(completion: number): void {
    this.#used = completion;
    if (completion >= this.#extendAt) void this.#extend();
  }

  /** The agent holds back a chunk that is larger than what is left of the grant: more is needed now. */
  starved(): void {
    if (this.#extendAt !== Number.POSITIVE_INFINITY) void this.#extend();
  }

  /** Hot path. The client has taken so many bytes: a slow reader's window does not grow. */
  taken(bytes: number): void {
    const window = bytes + limits.streamWindowBytes;
    if (window - this.#bytes < limits.streamWindowBytes / 2) return;
    this.#bytes = window;
    this.#grant();
  }

  /** Nothing is granted any more. */
  close(): void {
    this.#closed = true;
  }

  /** More credit is held while half of what is granted is still unused. */
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
    // Not one token more: the answer ends at what is paid for, with `length`.
    if (covered <= this.#tokens) this.#cap = this.#tokens;
    this.#grantCovered();
  }

  async #cover(completion: number): Promise<number | 'gone' | 'unknown'> {
    try {
      return await this.#hold.cover(this.#prompt, completion);
    } catch (error) {
      // Anything else is our mistake, and nobody awaits this: the answer ends, unsettled.
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
    const changed = tokens !== this.#tokens || final !== this.#final;
    this.#tokens = tokens;
    this.#final = final;
    const unused = tokens - this.#used;
    this.#extendAt = final ? Number.POSITIVE_INFINITY : tokens - Math.floor(unused / 2);
    if (changed) this.#grant();
  }

  #grant(): void {
    this.#told = Math.max(this.#told, this.#tokens);
    this.#send({ tokens: this.#tokens, bytes: this.#bytes, final: this.#final });
  }
}
