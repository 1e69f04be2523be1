/** Picks the workers in turn, whatever their load. For comparison. */
import type { Candidate, Policy, RoutingQuery } from './policy.ts';

export const roundRobin: Policy = <C extends Candidate>(
  { turn }: RoutingQuery,
  candidates: readonly C[],
) => candidates[turn % candidates.length] as C;
