/**
 * Blocks to prefill, with those that wait, weighed against blocks of context that decode: as NVIDIA Dynamo's
 * router has it. For comparison.
 */
import { anyOf, least, type Policy } from './policy.ts';

/** What a block of prefill counts for against one of decode: in the study 8 did best, 1 is what it ships with. */
const PREFILL_WEIGHT = 8;

export function blockCost(prefillWeight: number): Policy {
  return (question, candidates, random) =>
    anyOf(
      least(candidates, ({ queuedTokens, cachedTokens, contextTokens }) => {
        const prefill = queuedTokens + question.promptTokens - cachedTokens;
        return prefillWeight * prefill + contextTokens + question.promptTokens - cachedTokens;
      }),
      random,
    );
}

export const blockCostWeighed = blockCost(PREFILL_WEIGHT);
