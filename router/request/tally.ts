/** Hot path. What a host has counted of one answer, within what it may bill for it. */
import type { BillBounds, Billed } from './bill-bounds.ts';
import type { Counts } from './outcome.ts';

type TallyParts = Readonly<{
  /** An agent reported what cannot be. */
  alarm: (what: 'prompt_clamped' | 'completion_clamped') => void;
  bounds: BillBounds;
}>;

export class Tally {
  readonly #parts: TallyParts;
  readonly #billed: Billed;
  readonly #promptMost: number;
  #prompt = 0;
  #completion = 0;
  /** Of text that came, whether or not the client took it. */
  #bytes = 0;

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

  /** Completion tokens, as last reported. */
  get completion(): number {
    return this.#completion;
  }

  /** The host has counted so many tokens, and so many bytes of text have come with them. */
  add(completion: number, bytes: number): void {
    this.#completion = Math.max(this.#completion, completion);
    this.#bytes += bytes;
  }

  /** What may be charged so far: as the host says, at most what was granted and what the context has room for. */
  counts(said: Counts, granted: number): Counts {
    const { ask } = this.#billed;
    const context = ask.model.entry.context_length;
    const prompt = Math.min(this.#prompt || said.prompt, this.#promptMost, context);
    const most = Math.min(this.#completionMost, granted, context - prompt);
    return { prompt, completion: Math.min(Math.max(this.#completion, said.completion), most) };
  }

  /** The same for an answer that is whole, which is judged. `told`: the most that its agent was ever granted. */
  whole(said: Counts, { tokens, told }: Readonly<{ tokens: number; told: number }>): Counts {
    this.countPrompt(said.prompt);
    const most = this.#completionMost;
    if (said.completion > Math.min(most, told)) this.#parts.alarm('completion_clamped');
    this.#parts.bounds.judge(this.#billed, 'completion', Math.min(said.completion, told), most);
    return this.counts(said, tokens);
  }

  get #completionMost(): number {
    return this.#parts.bounds.completionMost(this.#billed.ask, this.#bytes);
  }
}
