/**
 * The length of a text completion without `max_tokens`. vLLM and SGLang end such a completion after
 * 16 tokens, and vLLM takes an explicit null for no value.
 */
import type { Controlled, Fields } from './dialect.ts';

/** The lowest `max_tokens` to request, for a prompt whose bytes alone would leave less. */
const LEAST_LEFT_TOKENS = 1_024;

/**
 * Returns the `max_tokens` of a text completion that has none: the context length minus the bytes of
 * the body. That always fits, because a token takes at least one byte, and engines reject a length
 * that does not fit. A chat needs no such field.
 */
export function textLength({ maxTokens, endpoint, contextLength, bodyBytes }: Controlled): Fields {
  if (maxTokens !== null || endpoint !== 'completions') return {};
  return { max_tokens: Math.max(LEAST_LEFT_TOKENS, contextLength - bodyBytes) };
}
