/** Picks the workers in turn, whatever their load. For comparison. */
import type { Policy } from './policy.ts';

export const roundRobin: Policy = <C>(
  { turn }: Readonly<{ turn: number }>,
  candidates: readonly C[],
) => candidates[turn % candidates.length] as C;
