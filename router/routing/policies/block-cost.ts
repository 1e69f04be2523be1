/**
 * The cost function of NVIDIA Dynamo's router: weighs the tokens to prefill, including those that
 * are queued, against the context tokens that decode. For comparison.
 */
import { anyOf, least, type Policy } from './policy.ts';

/** Decode blocks that a prefill block counts for. Dynamo ships with 1; 8 did best in our study. */
const PREFILL_WEIGHT = 8;

export function blockCost(prefillWeight: number): Policy {
  return (query, candidates, random) =>
    anyOf(
      least(candidates, ({ queuedTokens, cachedTokens, contextTokens }) => {
        const prefill = queuedTokens + query.promptTokens - cachedTokens;
        return prefillWeight * prefill + contextTokens + query.promptTokens - cachedTokens;
      }),
      random,
    );
}

export const blockCostWeighed = blockCost(PREFILL_WEIGHT);
