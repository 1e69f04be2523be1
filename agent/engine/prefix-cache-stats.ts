/**
 * Counts the prompt tokens that were looked up in an engine's prefix cache since its start, and
 * those that were found. For a router, a count of 0 means that the cache is empty, and a lower
 * count than before means that the engine was restarted. The counts therefore never decrease while
 * the engine's process lives, and do not include the agent's own probes.
 */
import type { Figures } from './gauges.ts';

export type LookedUp = Pick<Figures, 'prefixHitTokens' | 'prefixQueryTokens'>;

const NOTHING: LookedUp = { prefixHitTokens: 0, prefixQueryTokens: 0 };
/** For an engine without prefix cache statistics. Others may have used its cache before. */
const UNKNOWN_PAST: LookedUp = { prefixHitTokens: 0, prefixQueryTokens: 1 };

export class PrefixCacheStats {
  #all: LookedUp = UNKNOWN_PAST;
  #own: LookedUp = NOTHING;
  #counted = false;

  /** The counts for the load report. */
  get reported(): LookedUp {
    return this.#all;
  }

  /**
   * Called when the engine is another process than before. `counts`: whether the engine reports
   * prefix cache statistics itself.
   */
  restarted(counts: boolean): void {
    this.#counted = counts;
    this.#own = NOTHING;
    // Without the engine's counts, nothing shows that the cache is empty, so the old counts stay.
    if (counts) this.#all = NOTHING;
  }

  /**
   * Updates the counts from those of the engine, which include the agent's probes. An engine that
   * does not report cached tokens in its answers counts hits of the probes that the agent cannot
   * subtract, so the hits are bounded by the queries.
   */
  update({ prefixHitTokens, prefixQueryTokens }: LookedUp): void {
    if (!this.#counted) return;
    const { prefixHitTokens: hits, prefixQueryTokens: queries } = this.#all;
    const looked = Math.max(queries, prefixQueryTokens - this.#own.prefixQueryTokens);
    const found = Math.min(looked, prefixHitTokens - this.#own.prefixHitTokens);
    this.#all = { prefixHitTokens: Math.max(hits, found), prefixQueryTokens: looked };
  }

  /** Adds the counts of a complete answer, if the engine reports no statistics itself. */
  answered(prompt: number, cached: number): void {
    if (!this.#counted) this.#all = added(this.#all, prompt, cached);
  }

  /** Adds the counts of one of the agent's probes. */
  probed(prompt: number, cached: number): void {
    this.#own = added(this.#own, prompt, cached);
  }
}

function added({ prefixHitTokens, prefixQueryTokens }: LookedUp, prompt: number, cached: number) {
  return {
    prefixHitTokens: prefixHitTokens + Math.min(prompt, cached),
    prefixQueryTokens: prefixQueryTokens + prompt,
  };
}
