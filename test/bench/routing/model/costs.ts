/**
 * How long an engine takes: a 32B model in BF16 over two H100, from its floating-point operations and its
 * memory bandwidth; derived, not measured.
 */

/** Of one prompt token, attention aside. */
const TOKEN_S = 66e-6;
/** Position at which a token's attention costs as much as all else of it. */
const ATTENTION_POSITION = 31_300;
/** Reading all weights once: the least a step takes, however few its tokens. */
const WEIGHTS_S = 12.2e-3;
/** Scheduling and launching a step. */
export const STEP_S = 3e-3;
/** Reading what is cached for one token of a request that decodes. */
export const CONTEXT_TOKEN_S = 56e-9;

/** Tokens that one step computes, decoded ones included. */
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
  /** Tokens computed: one for each request that decodes, and the pieces of prompts. */
  tokens: number;
  /** Seconds that the pieces' attention takes. */
  attentionS: number;
  /** Tokens of context of all requests that decode. */
  contextTokens: number;
}>;

export function stepS(step: Step): number {
  const compute = Math.max(WEIGHTS_S, TOKEN_S * step.tokens);
  return STEP_S + compute + step.attentionS + CONTEXT_TOKEN_S * step.contextTokens;
}

export { attentionS };
