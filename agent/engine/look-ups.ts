/**
 * Prompt tokens that were looked up in an engine's cache since it was started, and found there. A router concludes
 * from none that the cache is empty, and from fewer than before that the engine is a new one: so they only grow, and
 * what the agent itself has asked is not among them.
 */
import type { Figures } from './gauges.ts';

export type LookedUp = Pick<Figures, 'prefixHitTokens' | 'prefixQueryTokens'>;

const NOTHING: LookedUp = { prefixHitTokens: 0, prefixQueryTokens: 0 };
/** Of an engine that does not count them: whatever was before us, it need not be nothing. */
const UNKNOWN_PAST: LookedUp = { prefixHitTokens: 0, prefixQueryTokens: 1 };

export class LookUps {
  #all: LookedUp = UNKNOWN_PAST;
  #own: LookedUp = NOTHING;
  #counted = false;

  /** As a load report tells them. */
  get told(): LookedUp {
    return this.#all;
  }

  /** The engine is another process than before; whether it counts its look-ups itself. */
  anew(counts: boolean): void {
    this.#counted = counts;
    this.#own = NOTHING;
    // Where nothing counts them, nothing tells that there were none: they only go on.
    if (counts) this.#all = NOTHING;
  }

  /** What the engine has counted, ours among them. */
  saw({ prefixHitTokens, prefixQueryTokens }: LookedUp): void {
    if (!this.#counted) return;
    const { prefixHitTokens: hits, prefixQueryTokens: queries } = this.#all;
    this.#all = {
      prefixHitTokens: Math.max(hits, prefixHitTokens - this.#own.prefixHitTokens),
      prefixQueryTokens: Math.max(queries, prefixQueryTokens - this.#own.prefixQueryTokens),
    };
  }

  /** The counts of an answer that is whole: all there is where the engine does not count. */
  answered(prompt: number, cached: number): void {
    if (!this.#counted) this.#all = added(this.#all, prompt, cached);
  }

  /** The counts of a question of our own. */
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
