/** Hot path. The counts that a host reports for one answer, limited to what it may bill. */
import type { BillBounds, Billed } from './bill-bounds.ts';
import type { Counts } from './outcome.ts';

type TallyParts = Readonly<{
  /** Called when an agent reported impossible counts. */
  alarm: (what: 'prompt_clamped' | 'completion_clamped') => void;
  bounds: BillBounds;
}>;

export class Tally {
  readonly #parts: TallyParts;
  readonly #billed: Billed;
  readonly #promptMost: number;
  #prompt = 0;
  #completion = 0;
  /** Bytes of text that arrived, whether the client has read them or not. */
  #bytes = 0;

  constructor(parts: TallyParts, billed: Billed) {
    this.#parts = parts;
    this.#billed = billed;
    this.#promptMost = parts.bounds.promptMost(billed.parsed);
  }

  /** Prompt tokens. 0 until they are counted. */
  get prompt(): number {
    return this.#prompt;
  }

  /** Records the prompt as counted by the engine. Only the first count is used. */
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

  /** Records completion tokens that the host reports, and bytes of text that came with them. */
  add(completion: number, bytes: number): void {
    this.#completion = Math.max(this.#completion, completion);
    this.#bytes += bytes;
  }

  /** The counts that may be charged: as reported, within the grant and the context length. */
  counts(said: Counts, granted: number): Counts {
    const { parsed } = this.#billed;
    const context = parsed.model.entry.context_length;
    const prompt = Math.min(this.#prompt || said.prompt, this.#promptMost, context);
    const most = Math.min(this.#completionMost, granted, context - prompt);
    return { prompt, completion: Math.min(Math.max(this.#completion, said.completion), most) };
  }

  /**
   * The same for a complete answer, whose counts are also checked. `largest` is the
   * largest grant that its agent ever got.
   */
  whole(said: Counts, { tokens, largest }: Readonly<{ tokens: number; largest: number }>): Counts {
    this.countPrompt(said.prompt);
    const most = this.#completionMost;
    if (said.completion > Math.min(most, largest)) this.#parts.alarm('completion_clamped');
    this.#parts.bounds.judge(this.#billed, 'completion', Math.min(said.completion, largest), most);
    return this.counts(said, tokens);
  }

  get #completionMost(): number {
    return this.#parts.bounds.completionMost(this.#billed.parsed, this.#bytes);
  }
}
