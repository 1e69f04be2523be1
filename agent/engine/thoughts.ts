/** Where a model's thoughts stand: a parser that is missing shows in the tags that it would have taken away. */
import { type EngineChoice, reasoningOf, text } from './chunk.ts';

/** Known once an answer has shown it. */
export type Thoughts = 'unknown' | 'apart' | 'in the text';

/** Hot path, until it is known. What a choice of a model that thinks tells of it. */
export function thoughtsOf({ delta }: EngineChoice): Thoughts {
  if (!delta) return 'unknown';
  if (reasoningOf(delta) !== '') return 'apart';
  return text(delta.content).includes('</think>') ? 'in the text' : 'unknown';
}
