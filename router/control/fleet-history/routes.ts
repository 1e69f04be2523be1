/** The history of the fleet, for operators. */
import {
  FleetHistory,
  FleetHistoryQuery,
  HISTORY_GROUPS_MAX,
} from '../../../shared/api/fleet-history.ts';
import type { AgentId } from '../../../shared/ids.ts';
import { type Api, Refused, sendJson } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import { cellsOf } from './cells-of-query.ts';
import { type WrittenHistory, writeFleetHistory } from './write.ts';

export type FleetHistoryParts = Pick<ControlParts, 'store' | 'clock'>;

export function fleetHistoryRoutes(api: Api, { store, clock }: FleetHistoryParts): void {
  api.get(
    '/fleet/history',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'Get the history of the fleet, by model, region, agent or worker',
        description:
          'Routers write what they observe once a minute. Buckets are in UTC. A request belongs to ' +
          'the minute in which it ended, and to the region of its listener; a worker belongs to ' +
          'the region of its agent. Minutes are kept for two days, hours for 35 days.',
        tags: ['workers'],
        querystring: FleetHistoryQuery,
        response: { 200: FleetHistory },
      },
    },
    async ({ query }, reply) =>
      sendJson(reply, await store.call(writeFleetHistory, historyQuery(query, clock.now()))),
  );
}

function historyQuery(query: FleetHistoryQuery, now: number): WrittenHistory {
  const isOfTotals = query.points === 'none';
  if (!isOfTotals && query.groups > HISTORY_GROUPS_MAX) {
    const message = `Enter at most ${HISTORY_GROUPS_MAX}, or \`points=none\`.`;
    throw new Refused('invalid_value', message, 'groups');
  }
  const { group_by: groupBy = null, groups, model = null, region = null } = query;
  const { agent, worker } = workerOf(query);
  if (model !== null && (agent !== null || groupBy === 'agent' || groupBy === 'worker')) {
    const message = 'The history has no figures of one model on one host. Leave out one of both.';
    throw new Refused('invalid_value', message, 'model');
  }
  if (agent !== null && groupBy === 'model') {
    const message = 'The history has no figures of one model on one host. Group by worker.';
    throw new Refused('invalid_value', message, 'group_by');
  }
  const narrowed = { model, region, agent, worker };
  return { ...cellsOf(query, now), groupBy, groups, ...narrowed, isOfTotals };
}

/** A worker's id is that of its agent, a slash and its name. */
function workerOf({ agent, worker }: FleetHistoryQuery): Pick<WrittenHistory, 'agent' | 'worker'> {
  if (worker === undefined) return { agent: agent ?? null, worker: null };
  const slash = worker.indexOf('/');
  const own = worker.slice(0, slash);
  if (slash < 0 || (agent !== undefined && agent !== own)) {
    throw new Refused('invalid_value', 'No such worker.', 'worker');
  }
  return { agent: own as AgentId, worker: worker.slice(slash + 1) };
}
