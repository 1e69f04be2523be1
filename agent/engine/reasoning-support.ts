/**
 * Detects where a model's reasoning appears. If the reasoning parser is missing, the text contains
 * the tags that the parser would have removed.
 */
import { type EngineChoice, reasoningOf, text } from './chunk.ts';

/**
 * `apart`: the reasoning has a field of its own. `in the text`: there is no parser. `unknown`: no
 * answer has shown it yet.
 */
export type ReasoningSupport = 'unknown' | 'apart' | 'in the text';

/** Hot path until the support is known. Returns what a choice of a thinking model shows. */
export function reasoningSupportOf({ delta }: EngineChoice): ReasoningSupport {
  if (!delta) return 'unknown';
  if (reasoningOf(delta) !== '') return 'apart';
  return text(delta.content).includes('</think>') ? 'in the text' : 'unknown';
}
