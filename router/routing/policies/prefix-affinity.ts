/**
 * SGLang's cache-aware rule with its published thresholds: picks the longest cached prefix while
 * the load is even, and the worker with the fewest requests in flight otherwise. A prompt of which
 * too little is cached goes to the worker that has stored the least. For comparison.
 */
import { anyOf, least, type Policy } from './policy.ts';
import { rendezvous } from './rendezvous.ts';

const MATCHED_SHARE = 0.3;
const UNEVEN_REQUESTS = 64;
const UNEVEN_RATIO = 1.5;

export const prefixAffinity: Policy = (query, candidates, random) => {
  let most = 0;
  let fewest = Number.POSITIVE_INFINITY;
  for (const { inFlight } of candidates) {
    most = Math.max(most, inFlight);
    fewest = Math.min(fewest, inFlight);
  }
  const idlest = <C extends { inFlight: number }>(of: readonly C[]) =>
    anyOf(
      least(of, ({ inFlight }) => inFlight),
      random,
    );
  if (most - fewest > UNEVEN_REQUESTS && most > fewest * UNEVEN_RATIO) return idlest(candidates);
  const best = least(candidates, ({ cachedTokens }) => -cachedTokens);
  const { cachedTokens } = best[0] as (typeof best)[number];
  if (cachedTokens > MATCHED_SHARE * query.promptTokens)
    return rendezvous(query.affinityHash, best);
  return idlest(least(candidates, ({ stored }) => stored));
};
