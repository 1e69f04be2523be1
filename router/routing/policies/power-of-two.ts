/**
 * Draws two workers at random and picks the one with fewer requests in flight. It needs no view of
 * all workers. For comparison.
 */
import type { Random } from '../../../shared/random.ts';
import type { Candidate, Policy, RoutingQuery } from './policy.ts';

export const powerOfTwo: Policy = <C extends Candidate>(
  _query: RoutingQuery,
  candidates: readonly C[],
  random: Random,
) => {
  const first = random.below(candidates.length);
  if (candidates.length === 1) return candidates[0] as C;
  // A second worker that is not the first; all others are equally likely.
  const step = 1 + random.below(candidates.length - 1);
  const one = candidates[first] as C;
  const other = candidates[(first + step) % candidates.length] as C;
  return other.inFlight < one.inFlight ? other : one;
};
