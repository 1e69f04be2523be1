/** How an engine tells its counts: as members of a chunk, each with the comma before it, or ''. */
import type { Figures } from './figures.ts';

export interface Tell {
  /** On every chunk that has text. */
  running(figures: Figures): string;
  /** On the chunk that has the finish_reason. */
  ending(figures: Figures): string;
  /** On the event of its own after that one, and on an answer that is not streamed. */
  last(figures: Figures): string;
}

/** What an engine's operator has switched on. */
export interface TellFlags {
  /** vLLM's `--enable-prompt-tokens-details`, SGLang's `--enable-cache-report`. */
  readonly cachedTokens: boolean;
  /** A token of prefill and a step of decoding, for engines that tell of times. */
  readonly prefillUs: number;
  readonly tokenMs: number;
}
