/** The bench's own routers by name, with which the product's policies are compared. */
import type { Random } from '../../../../shared/random.ts';
import type { Timeline } from '../model/timeline.ts';
import type { Worker } from '../model/worker.ts';
import { leastPrefill } from './least-prefill.ts';
import { oracle } from './oracle.ts';
import { randomRouter } from './random.ts';
import type { Router } from './router.ts';
import { exactScorers, gatewayScorers } from './scorers.ts';
import { sessionHash } from './session-hash.ts';

export type OwnParts = Readonly<{ fleet: readonly Worker[]; timeline: Timeline; random: Random }>;

export const OWN = {
  random: ({ fleet, random }) => randomRouter(fleet.length, random),
  'session-hash': ({ fleet }) => sessionHash(fleet.length),
  'gateway-scorers': gatewayScorers,
  'llm-d-scorers': exactScorers,
  'least-prefill': leastPrefill,
  oracle: (parts) => oracle(parts.fleet, parts),
} as const satisfies Record<string, (parts: OwnParts) => Router>;
