/** The least expected load: requests under way and waiting, as a share of what the worker takes. */
import type { Candidate, Policy } from './policy.ts';

/** Above this, a full KV cache is about to make requests wait. */
const KV_USE_HIGH = 0.9;

function load({ inFlight, waiting, slots, kvUse }: Candidate): number {
  return (inFlight + waiting) / slots + Math.max(0, kvUse - KV_USE_HIGH) * 10;
}

export const leastLoad: Policy = (candidates, random) => {
  let best = candidates.slice(0, 1);
  let least = load(best[0] as Candidate);
  for (const candidate of candidates.slice(1)) {
    const here = load(candidate);
    if (here < least) {
      best = [candidate];
      least = here;
    } else if (here === least) {
      best.push(candidate);
    }
  }
  // Equal ones by lot: otherwise a burst would herd onto the first.
  return best[random.below(best.length)] as (typeof best)[number];
};
