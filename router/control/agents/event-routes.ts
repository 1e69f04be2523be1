/** The events of an agent, and the notes of operators among them. */
import { z } from 'zod';
import {
  AgentEvent,
  AgentEventPage,
  AgentEventQuery,
  HostLossList,
  HostLossQuery,
  LastKnown,
  NewAgentNote,
} from '../../../shared/api/agents.ts';
import { AgentIdText } from '../../../shared/api/ids.ts';
import { FILTER_VALUES_MAX } from '../../../shared/bounds/filter-values.ts';
import { mintId } from '../../../shared/ids.ts';
import { type Api, found, instantOrNull, isoInstant } from '../api.ts';
import { actorOf } from '../audit/record.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { type AgentEventRow, listAgentEvents, writeAgentNote } from './events.ts';
import { readLastKnown } from './last-known.ts';
import { listLosses, LOSSES_MAX } from './losses.ts';
import { findAgent } from './procedures.ts';

export type AgentEventParts = Pick<ControlParts, 'store' | 'clock' | 'random'>;

const AgentPath = z.object({ agent: AgentIdText });

export function agentEventRoutes(api: Api, { store, clock, random }: AgentEventParts): void {
  api.get(
    '/agents/:agent/events',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'List the events of an agent and its workers, newest first',
        description: `\`action\` takes up to ${FILTER_VALUES_MAX} values, each as a parameter of its own: \`action=agent.drain&action=worker.drain\`.`,
        tags: ['agents'],
        params: AgentPath,
        querystring: AgentEventQuery,
        response: { 200: AgentEventPage },
      },
    },
    async ({ params: { agent }, query }) => {
      const { limit, after = null, worker = null, action: actions = null } = query;
      found(await store.call(findAgent, agent), 'agent');
      const asked = { agent, worker, actions, limit, after };
      return answerPage(await store.call(listAgentEvents, asked), shown);
    },
  );

  api.get(
    '/agents/:agent/last-known',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'Get what is known of a host that is not connected',
        tags: ['agents'],
        params: AgentPath,
        response: { 200: LastKnown },
      },
    },
    async ({ params: { agent } }) => {
      found(await store.call(findAgent, agent), 'agent');
      const { started, left, engines, drained } = await store.call(readLastKnown, agent);
      return {
        version: started?.detail ?? null,
        started: instantOrNull(started?.last ?? null),
        left: left && { at: isoInstant(left.last), reason: left.detail, router: left.router },
        engines: engines.map(({ worker, detail, last }) => ({
          worker,
          engine: detail,
          found: isoInstant(last),
        })),
        drained: drained && {
          at: isoInstant(drained.created),
          by: drained.actor,
          reason: drained.reason,
        },
      };
    },
  );

  api.get(
    '/agents/losses',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'List when hosts were lost and when they were back, newest first',
        description: `The latest ${LOSSES_MAX} that began or ended in the period. A host that was away for less than a minute, or was drained or stopped before, was not lost. Routers look twice a minute, so that a loss of less than a minute and a half may be missing.`,
        tags: ['agents'],
        querystring: HostLossQuery,
        response: { 200: HostLossList },
      },
    },
    async ({ query: { from, until = clock.now() } }) => {
      const losses = await store.call(listLosses, { from, until });
      return {
        data: losses.map(({ agent, name, lost, end, returned }) => ({
          agent,
          name,
          lost: isoInstant(lost),
          reason: end,
          returned: instantOrNull(returned),
        })),
      };
    },
  );

  api.post(
    '/agents/:agent/notes',
    {
      config: { access: 'operator', action: 'agent.note' },
      schema: {
        summary: 'Write a note on an agent, for other operators',
        tags: ['agents'],
        params: AgentPath,
        body: NewAgentNote,
        response: { 201: AgentEvent },
      },
    },
    async (request, reply) => {
      const { agent } = request.params;
      const note = {
        id: mintId('hostEvent', clock, random),
        agent,
        text: request.body.text,
        actor: actorOf(request).id,
        created: clock.now(),
      };
      const entry = request.auditEntry({ target: agent });
      const written = found(await store.call(writeAgentNote, { note, entry }), 'agent');
      return reply.code(201).send(shown(written));
    },
  );
}

function shown(row: AgentEventRow): AgentEvent {
  const { id, action, worker, actor, router, detail, before, count, created, last } = row;
  return {
    id,
    created: isoInstant(created),
    action,
    worker: worker === '' ? null : worker,
    actor,
    router,
    detail: detail === '' ? null : detail,
    before,
    count: Number(count),
    last: isoInstant(last),
  };
}
