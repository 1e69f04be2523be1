/**
 * The time that an engine takes: a 32B model in BF16 on two H100, derived from its floating-point
 * operations and its memory bandwidth, not measured.
 */

/** One prompt token, without attention. */
const TOKEN_S = 66e-6;
/** The position at which a token's attention costs as much as the rest of its computation. */
const ATTENTION_POSITION = 31_300;
/** Reading all weights once, which is the minimum for a step with few tokens. */
const WEIGHTS_S = 12.2e-3;
/** Scheduling and launching a step. */
export const STEP_S = 3e-3;
/** Reading the cached keys and values of one context token of a decoding request. */
export const CONTEXT_TOKEN_S = 56e-9;

/** The most tokens that one step computes, including decoded ones. */
export const STEP_TOKENS_MAX = 2048;
export const RUNNING_MAX = 256;

/** Seconds of prefill from one position in a prompt to another. */
export function prefillS(from: number, to: number): number {
  return TOKEN_S * (to - from) + attentionS(from, to);
}

function attentionS(from: number, to: number): number {
  return (TOKEN_S * (to * to - from * from)) / (2 * ATTENTION_POSITION);
}

export type Step = Readonly<{
  /** Tokens computed: one for each decoding request, and the pieces of prompts. */
  tokens: number;
  /** Seconds for the attention of the prompt pieces. */
  attentionS: number;
  /** Context tokens of all decoding requests. */
  contextTokens: number;
}>;

export function stepS(step: Step): number {
  const compute = Math.max(WEIGHTS_S, TOKEN_S * step.tokens);
  return STEP_S + compute + step.attentionS + CONTEXT_TOKEN_S * step.contextTokens;
}

export { attentionS };
