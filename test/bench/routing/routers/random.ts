/** Picks a random worker: the baseline that every policy must beat. */
import type { Random } from '../../../../shared/random.ts';
import { HEARS_NOTHING, type Router } from './router.ts';

export function randomRouter(workers: number, random: Random): Router {
  return { ...HEARS_NOTHING, dispatch: () => random.below(workers) };
}
