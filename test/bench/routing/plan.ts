/** The runs that a report consists of. */
import { blockCost } from '../../../router/routing/policies/block-cost.ts';
import type { Policy } from '../../../router/routing/policies/policy.ts';
import { POLICIES, type PolicyName } from '../../../router/routing/policies/table.ts';
import { OWN } from './routers/own.ts';

/** How several routers learn of each other's requests: by echo, or not at all. */
export type Talk = 'echo' | 'silent';

/** The product's default policy. */
export const RULE = 'least-ttft' satisfies PolicyName;
/** The same, in a fleet whose agents receive the KV events of their engines. */
export const RULE_WITH_EVENTS = 'least-ttft+kv-events' as const;

/** The product's policies, and in addition Dynamo's cost with its default weight. */
export const PRODUCT = {
  ...POLICIES,
  [RULE_WITH_EVENTS]: POLICIES[RULE],
  'block-cost-1': blockCost(1),
} as const satisfies Record<string, Policy>;
export type Contender = keyof typeof PRODUCT | keyof typeof OWN;

/** One row of the report. */
export type Row = Readonly<{
  trace: string;
  workers: number;
  requestsPerS: number;
  policy: Contender;
  routers: number;
  talk: Talk;
}>;
export type Trial = Row & Readonly<{ blocks: number; seed: number; requestsMax: number }>;

/** All policies, with the oracle last. */
export const CONTENDERS = [...Object.keys(PRODUCT), ...Object.keys(OWN)] as readonly Contender[];
/**
 * The load, as a share of the highest rate at which the oracle's mean TTFT is at most three times
 * its unloaded one.
 */
export const LOAD_SHARE = 0.85;

/**
 * These highest rates for the public traces, at 2,048 blocks per worker. For other traces they are
 * searched for.
 */
const RATES_MAX: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  conversation: { 4: 2.7, 16: 11.7, 64: 46 },
  synthetic: { 4: 2.78, 16: 12, 64: 48.3 },
};

export function rateMaxOf(trace: string, workers: number, blocks: number): number | undefined {
  return blocks === 2048 ? RATES_MAX[trace]?.[workers] : undefined;
}

export type Place = Pick<Row, 'trace' | 'workers' | 'requestsPerS'>;

/**
 * The rows of one trace and size: each policy with one router, and the product's default policy
 * with several.
 */
export function rowsOf(place: Place, policies: readonly Contender[], routers: number): Row[] {
  const alone = policies.map((policy) => ({
    ...place,
    policy,
    routers: 1,
    talk: 'silent' as const,
  }));
  if (routers === 1) return alone;
  const sprayed = policies.filter((policy) => policy in PRODUCT);
  return [
    ...alone,
    ...sprayed.map((policy) => ({ ...place, policy, routers, talk: 'echo' as const })),
    ...sprayed
      .filter((policy) => policy === RULE)
      .map((policy) => ({ ...place, policy, routers, talk: 'silent' as const })),
  ];
}
