import { z } from 'zod';
import { AgentIdText } from '../../../shared/api/ids.ts';
import { Agent, AgentPage, EnrolledAgent, NewAgent } from '../../../shared/api/agents.ts';
import { pageQuery } from '../../../shared/api/pages.ts';
import { CLOSE } from '../../../shared/wire/messages.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { AgentRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { type Api, found, isoInstant } from '../api.ts';
import { answerPage } from '../pages.ts';
import { type AgentMintParts, mintAgent } from './mint.ts';
import { insertAgent, listAgents, revokeAgent } from './procedures.ts';

export type AgentParts = AgentMintParts &
  Readonly<{ store: Pick<Store, 'call'>; fleet: Pick<Fleet, 'sessionOf' | 'gone'> }>;

const AgentPath = z.object({ agent: AgentIdText });

export function agentRoutes(api: Api, parts: AgentParts): void {
  const { store, fleet } = parts;

  const shown = ({ id, name, region, state, created, last_seen }: AgentRow): Agent => ({
    id,
    name,
    region,
    state,
    connected: fleet.sessionOf(id) !== undefined,
    created: isoInstant(created),
    last_seen: last_seen === null ? null : isoInstant(last_seen),
  });

  api.post(
    '/agents',
    { schema: { body: NewAgent, response: { 201: EnrolledAgent } } },
    async ({ body }, reply) => {
      const { joinToken, agent, token } = mintAgent(parts, body);
      await store.call(insertAgent, { agent, token });
      const expires = isoInstant(token.expires);
      return reply.code(201).send({ ...shown(agent), join_token: joinToken, expires });
    },
  );

  api.get(
    '/agents',
    { schema: { querystring: pageQuery(AgentIdText), response: { 200: AgentPage } } },
    async ({ query: { limit, after = null } }) =>
      answerPage(await store.call(listAgents, { limit, after }), shown),
  );

  api.post(
    '/agents/:agent/revoke',
    { schema: { params: AgentPath, response: { 200: Agent } } },
    async ({ params }) => {
      const agent = found(await store.call(revokeAgent, params.agent), 'agent');
      const session = fleet.sessionOf(agent.id);
      if (session) {
        session.close(CLOSE.refused, 'the agent was revoked');
        // Out of the fleet now, not when its end has answered the close: it gets no new work.
        fleet.gone(session);
      }
      return shown(agent);
    },
  );
}
