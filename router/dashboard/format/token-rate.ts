/**
 * A rate of fewer tokens, or over a shorter time, says how the tokens were cut into pieces of the
 * stream rather than how fast the answer was: two tokens within 5 ms would be 200 tokens/s.
 */
const TOKENS_MIN = 10;
const MS_MIN = 100;

/**
 * Tokens per second after the first token, which is waited for rather than generated at this speed.
 * `ms` is the time from the first token to the end. Null for fewer than 10 tokens after the first,
 * and for less than 100 ms.
 */
export function tokenRate(completionTokens: number, ms: number): number | null {
  const tokens = completionTokens - 1;
  return tokens < TOKENS_MIN || ms < MS_MIN ? null : (tokens * 1_000) / ms;
}
