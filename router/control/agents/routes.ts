import { z } from 'zod';
import {
  Agent,
  AgentPage,
  DrainOrder,
  EnrolledAgent,
  NewAgent,
} from '../../../shared/api/agents.ts';
import { AgentIdText } from '../../../shared/api/ids.ts';
import { pageQuery } from '../../../shared/api/pages.ts';
import { CLOSE } from '../../../shared/wire/messages.ts';
import type { AgentRow } from '../../store/schema/fleet.ts';
import { type Api, found, instantOrNull, isoInstant, Refused } from '../api.ts';
import { recordAuditEntry } from '../audit/record.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { type Absence, readAbsences } from './absences.ts';
import { type AgentMintParts, mintAgent } from './mint.ts';
import { enrolAudited, findAgent, listAgents, revokeAgentAudited } from './procedures.ts';

export type AgentParts = AgentMintParts & Pick<ControlParts, 'store' | 'fleet'>;

const AgentPath = z.object({ agent: AgentIdText });

export function agentRoutes(api: Api, parts: AgentParts): void {
  const { store, fleet, clock } = parts;

  const shown = ({ id, name, region, state, created, last_seen }: AgentRow): Agent => {
    const isConnected = fleet.sessionOf(id) !== undefined;
    return {
      id,
      name,
      region,
      state,
      connected: isConnected,
      created: isoInstant(created),
      last_seen: isConnected ? isoInstant(clock.now()) : instantOrNull(last_seen),
    };
  };

  /** Returns an agent that is connected to this router. */
  const connected = async (id: AgentRow['id']): Promise<AgentRow> => {
    const agent = found(await store.call(findAgent, id), 'agent');
    if (fleet.sessionOf(id) !== undefined) return agent;
    throw new Refused(
      'conflict',
      'This host is not connected to this router: use a router that it is connected to.',
    );
  };

  api.post(
    '/agents',
    {
      config: { access: 'operator', action: 'agent.enrol' },
      schema: {
        summary: 'Enrol an agent; only this response contains its join token',
        tags: ['agents'],
        body: NewAgent,
        response: { 201: EnrolledAgent },
      },
    },
    async (request, reply) => {
      const { joinToken, agent, token } = mintAgent(parts, request.body);
      const entry = request.auditEntry({ target: agent.id, details: { name: agent.name } });
      await store.call(enrolAudited, { input: { agent, token }, entry });
      const expires = isoInstant(token.expires);
      return reply.code(201).send({ ...shown(agent), join_token: joinToken, expires });
    },
  );

  api.get(
    '/agents',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'List agents',
        tags: ['agents'],
        querystring: pageQuery(AgentIdText),
        response: { 200: AgentPage },
      },
    },
    async ({ query: { limit, after = null } }) => {
      const page = await store.call(listAgents, { limit, after });
      const away = page.rows.filter(({ id }) => fleet.sessionOf(id) === undefined);
      const agents = away.map(({ id }) => id);
      const absences = await store.call(readAbsences, { agents, now: clock.now() });
      return answerPage(page, (row) => ({
        ...shown(row),
        absence: shownAbsence(absences.get(row.id)),
      }));
    },
  );

  api.post(
    '/agents/:agent/drain',
    {
      config: { access: 'operator', action: 'agent.drain' },
      schema: {
        summary: "Stop sending new requests to an agent's workers",
        tags: ['agents'],
        params: AgentPath,
        body: DrainOrder,
        response: { 200: Agent },
      },
    },
    async (request) => {
      const { agent: id } = request.params;
      const agent = await connected(id);
      const reason = request.body?.reason ?? null;
      await store.call(recordAuditEntry, request.auditEntry({ target: id, reason }));
      for (const worker of fleet.workers) if (worker.agent === id) fleet.drainWorker(worker.id);
      return shown(agent);
    },
  );

  api.post(
    '/agents/:agent/undrain',
    {
      config: { access: 'operator', action: 'agent.undrain' },
      schema: {
        summary: "Send new requests to an agent's drained workers again",
        tags: ['agents'],
        params: AgentPath,
        response: { 200: Agent },
      },
    },
    async (request) => {
      const { agent: id } = request.params;
      const agent = await connected(id);
      await store.call(recordAuditEntry, request.auditEntry({ target: id }));
      for (const worker of fleet.workers) if (worker.agent === id) fleet.undrainWorker(worker.id);
      return shown(agent);
    },
  );

  api.post(
    '/agents/:agent/revoke',
    {
      config: { access: 'operator', action: 'agent.revoke' },
      schema: {
        summary: 'Revoke an agent permanently',
        tags: ['agents'],
        params: AgentPath,
        response: { 200: Agent },
      },
    },
    async (request) => {
      const { agent: id } = request.params;
      const entry = request.auditEntry({ target: id });
      const revoked = await store.call(revokeAgentAudited, { input: id, entry });
      const agent = found(revoked, 'agent');
      const session = fleet.sessionOf(agent.id);
      if (session) {
        session.close(CLOSE.refused, 'the agent was revoked', 'revoked');
        // Remove the session from the fleet now, without waiting for the agent to answer the close,
        // so that it gets no new requests.
        fleet.gone(session);
      }
      return shown(agent);
    },
  );
}

function shownAbsence(absence: Absence | undefined): Agent['absence'] {
  if (absence === undefined) return null;
  const { reason, since, workers } = absence;
  return { reason, since: isoInstant(since), workers };
}
