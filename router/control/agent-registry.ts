/**
 * The store's side of the enrolment of agents: finds and joins agents, and lists enrolled keys and
 * revoked agents.
 */
import type { KnownAgent, AgentRegistry } from '../fleet/enrolment.ts';
import { milliseconds } from '../store/milliseconds.ts';
import type { AgentRow } from '../store/schema/fleet.ts';
import { digestIn } from './access/digests.ts';
import {
  findEnrolmentFault,
  findRevoked,
  greetAgent,
  joinAgent,
  listEnrolledKeys,
  noteAgentsSeen,
} from './agents/procedures.ts';
import type { ControlParts } from './parts.ts';

export type AgentRegistryParts = Pick<ControlParts, 'store' | 'pepper' | 'clock'>;

export function makeAgentRegistry({ store, pepper, clock }: AgentRegistryParts): AgentRegistry {
  const now = () => milliseconds(clock.now());
  const digestOf = (token: string) => digestIn({ store, pepper }, 'join_tokens', token);
  return {
    async find(publicKey) {
      return known(await store.call(greetAgent, { publicKey, at: now() }));
    },
    async join(token, publicKey) {
      const digest = await digestOf(token);
      return known(await store.call(joinAgent, { digest, publicKey, at: now() }));
    },
    async faultOf(token, publicKey) {
      const digest = token === null ? null : await digestOf(token);
      return store.call(findEnrolmentFault, { digest, publicKey, at: now() });
    },
    enrolledKeys: (most) => store.call(listEnrolledKeys, most),
    revoked: (agents) => store.call(findRevoked, agents),
    async seen(agents) {
      await store.call(noteAgentsSeen, { agents, at: now() });
    },
  };
}

function known(agent: AgentRow | null): KnownAgent | null {
  return agent && { agent: agent.id, name: agent.name, region: agent.region };
}
