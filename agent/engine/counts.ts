/** The token counts that an engine has reported so far for one answer. */
import { count, type EngineChoice, type EngineUsage, endsAnswer } from './chunk.ts';

export class Counts {
  prompt = 0;
  /** The highest count that the engine has reported, whether or not it was released. */
  completion = 0;
  /** Null when the engine did not report it. */
  cached: number | null = null;
  reasoning: number | null = null;
  /** Whether the engine reported any usage. */
  reported = false;
  /** Whether usage came with the finish chunk or after it. Earlier counts are not complete. */
  complete = false;
  /**
   * Whether usage came in an event of its own, after the answer. Some engines report cached tokens
   * only there.
   */
  trailing = false;
  /** Whether the engine reports cached tokens at all. */
  cachedReported = false;

  /**
   * Returns the cached tokens of a finished answer, or null when they are unknown. An engine that
   * reports cached tokens may leave out a count of 0.
   */
  cachedTokens(reportsCached: boolean): number | null {
    return this.cached ?? (this.trailing && reportsCached ? 0 : null);
  }

  /**
   * Reads the usage that came with `choice`, or without one. Later usage replaces earlier usage.
   * Returns false when the fields are not counts.
   */
  read(usage: EngineUsage, choice: EngineChoice | null): boolean {
    const prompt = count(usage.prompt_tokens);
    const completion = count(usage.completion_tokens);
    if (prompt === null || completion === null) return false;
    this.prompt = prompt;
    if (completion > this.completion) this.completion = completion;
    this.reported = true;
    if (endsAnswer(choice)) this.complete = true;
    if (choice === null) this.trailing = true;
    const details = usage.prompt_tokens_details;
    if (details) {
      this.cachedReported = true;
      this.cached = count(details.cached_tokens) ?? this.cached;
    }
    const { completion_tokens_details: spent, reasoning_tokens: flat } = usage;
    if (spent) this.reasoning = count(spent.reasoning_tokens) ?? this.reasoning;
    else if (flat !== undefined) this.reasoning = count(flat) ?? this.reasoning;
    return true;
  }
}
