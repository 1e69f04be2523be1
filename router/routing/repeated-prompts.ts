/**
 * Which prompts engines without a cache salt have answered. The prefix index knows whole chunks
 * only. On an engine whose cache all organizations share, nothing shows whose prompt the rest of a
 * hit belongs to, unless the same organization had an answer to the very same prompt.
 */
import { LRUCache } from 'lru-cache';
import type { Prompt } from './prompt.ts';

export type PromptHistory = Readonly<{
  /** Whether the engine has answered the same prompt of the same organization before. */
  isRepeated: boolean;
  /** Records that the engine has answered it now. */
  answered(): void;
}>;

const UNKNOWN: PromptHistory = { isRepeated: false, answered() {} };

/** The most prompts that are remembered: those that were answered most recently. */
export const PROMPTS_MAX = 65_536;

export class RepeatedPrompts {
  readonly #answered = new LRUCache<string, true>({ max: PROMPTS_MAX });

  /** Looks up a prompt that an engine is about to be sent. `engine` identifies one start of it. */
  lookUp(engine: string, { whole }: Prompt): PromptHistory {
    if (whole === null) return UNKNOWN;
    const key = `${engine} ${whole}`;
    return {
      isRepeated: this.#answered.has(key),
      answered: () => {
        this.#answered.set(key, true);
      },
    };
  }
}
