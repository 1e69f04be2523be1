/**
 * Detects where a model's thoughts appear. A missing reasoning parser shows by the tags that the
 * parser would have removed.
 */
import { type EngineChoice, reasoningOf, text } from './chunk.ts';

/**
 * `apart`: thoughts have a field of their own. `in the text`: there is no parser. `unknown`: no
 * answer has shown it yet.
 */
export type ReasoningSupport = 'unknown' | 'apart' | 'in the text';

/** Hot path, until it is known. Returns what a choice of a thinking model shows. */
export function reasoningSupportOf({ delta }: EngineChoice): ReasoningSupport {
  if (!delta) return 'unknown';
  if (reasoningOf(delta) !== '') return 'apart';
  return text(delta.content).includes('</think>') ? 'in the text' : 'unknown';
}
