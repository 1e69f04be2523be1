/** All policies, by their name in the configuration. */
import { blockCostWeighed } from './block-cost.ts';
import { leastRequests } from './least-requests.ts';
import { leastTtft } from './least-ttft.ts';
import type { Policy } from './policy.ts';
import { powerOfTwo } from './power-of-two.ts';
import { prefixAffinity } from './prefix-affinity.ts';
import { roundRobin } from './round-robin.ts';

export const POLICIES = {
  'least-ttft': leastTtft,
  'least-requests': leastRequests,
  'round-robin': roundRobin,
  'power-of-two': powerOfTwo,
  'prefix-affinity': prefixAffinity,
  'block-cost': blockCostWeighed,
} as const satisfies Record<string, Policy>;
export type PolicyName = keyof typeof POLICIES;
