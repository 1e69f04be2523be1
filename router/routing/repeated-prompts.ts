/**
 * Which prompts were sent to which engines whole, for engines without a cache salt. The prefix index
 * knows whole chunks only. On an engine whose cache all organizations share, nothing shows whose
 * prompt the rest of a hit belongs to, unless the same organization sent the very same prompt.
 */
import { LRUCache } from 'lru-cache';
import type { Prompt } from './prompt.ts';

/** The most prompts that are remembered: those that were sent most recently. */
export const PROMPTS_MAX = 65_536;

export class RepeatedPrompts {
  readonly #sent = new LRUCache<string, true>({ max: PROMPTS_MAX });

  /**
   * Records that an engine is sent a prompt. `engine` identifies one start of it. Returns whether
   * the engine was sent the same prompt before, by the same organization.
   */
  sent(engine: string, { whole }: Prompt): boolean {
    if (whole === null) return false;
    const key = `${engine} ${whole}`;
    const isRepeated = this.#sent.has(key);
    this.#sent.set(key, true);
    return isRepeated;
  }
}
