/** Every policy by its name in the configuration. */
import { leastLoad } from './least-load.ts';
import type { Policy } from './policy.ts';

export const POLICIES = { 'least-load': leastLoad } as const satisfies Record<string, Policy>;
export type PolicyName = keyof typeof POLICIES;
