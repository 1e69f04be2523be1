/** Hot path. What a host has counted of one answer, within what it may bill for it. */
import type { BillBounds, Billed } from './bill-bounds.ts';
import type { Counts } from './outcome.ts';

type TallyParts = Readonly<{
  /** An agent reported what cannot be. */
  alarm: (what: 'prompt_clamped' | 'completion_clamped') => void;
  bounds: BillBounds;
}>;

export class Tally {
  /** Completion tokens, as last reported. */
  completion = 0;
  /** Content bytes that came, whether or not the client took them. */
  bytes = 0;
  readonly #parts: TallyParts;
  readonly #billed: Billed;
  readonly #promptMost: number;
  #prompt = 0;

  constructor(parts: TallyParts, billed: Billed) {
    this.#parts = parts;
    this.#billed = billed;
    this.#promptMost = parts.bounds.promptMost(billed.ask);
  }

  /** 0: not counted yet. */
  get prompt(): number {
    return this.#prompt;
  }

  /** The prompt as the engine counts it, once. */
  countPrompt(reported: number): void {
    if (this.#prompt > 0 || reported === 0) return;
    this.#prompt = Math.min(reported, this.#promptMost);
    if (reported > this.#promptMost) this.#parts.alarm('prompt_clamped');
    this.#parts.bounds.judge(this.#billed, 'prompt', reported, this.#promptMost);
  }

  /** What may be charged so far, if the host says so and at most what was granted. `more`: bytes that the end brings. */
  counts(said: Counts, granted: number, more = 0): Counts {
    const most = Math.min(this.#completionMost(more), granted);
    return {
      prompt: this.#prompt || Math.min(said.prompt, this.#promptMost),
      completion: Math.min(Math.max(this.completion, said.completion), most),
    };
  }

  /** The same for an answer that is whole, which is judged. */
  whole(said: Counts, granted: number, more: number): Counts {
    this.countPrompt(said.prompt);
    const counts = this.counts(said, granted, more);
    if (said.completion > counts.completion) this.#parts.alarm('completion_clamped');
    const reported = Math.min(said.completion, granted);
    this.#parts.bounds.judge(this.#billed, 'completion', reported, this.#completionMost(more));
    return counts;
  }

  #completionMost(more: number): number {
    return this.#parts.bounds.completionMost(this.#billed.ask, this.bytes + more);
  }
}
