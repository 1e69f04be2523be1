/** What an engine has said about its tokens so far, for one answer. */
import { count, type EngineUsage } from './chunk.ts';

export class Counts {
  prompt = 0;
  /** As the engine last reported it, released to the router or not. */
  completion = 0;
  /** Null: the engine did not say. */
  cached: number | null = null;
  reasoning: number | null = null;
  /** Whether there was any usage. */
  seen = false;
  /** Whether the usage that ends an answer was seen: only there a cached count stands. */
  final = false;
  /** Whether the engine speaks of cached tokens at all. */
  toldCached = false;

  /** The cached tokens of an answer that is over; an engine that tells of them may leave out none. */
  cachedTokens(reportsCached: boolean): number | null {
    return this.cached ?? (this.final && reportsCached ? 0 : null);
  }

  /** Takes a chunk's usage; the last one wins. False: these are no counts. */
  read(usage: EngineUsage, final: boolean): boolean {
    const prompt = count(usage.prompt_tokens);
    const completion = count(usage.completion_tokens);
    if (prompt === null || completion === null) return false;
    this.prompt = prompt;
    if (completion > this.completion) this.completion = completion;
    this.seen = true;
    if (final) this.final = true;
    const details = usage.prompt_tokens_details;
    if (details) {
      this.toldCached = true;
      this.cached = count(details.cached_tokens) ?? this.cached;
    }
    const { completion_tokens_details: spent, reasoning_tokens: flat } = usage;
    if (spent) this.reasoning = count(spent.reasoning_tokens) ?? this.reasoning;
    else if (flat !== undefined) this.reasoning = count(flat) ?? this.reasoning;
    return true;
  }
}
