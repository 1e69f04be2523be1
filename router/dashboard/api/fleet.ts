/** Workers, agents, routers and the catalog, as operators see them. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type {
  Agent,
  AgentEvent,
  DrainOrder,
  HostLoss,
  HostReportEntry,
  LastKnown,
} from '../../../shared/api/agents.ts';
import type { CatalogStatus } from '../../../shared/api/models.ts';
import type { RouterDetail, RouterHistory, Routers } from '../../../shared/api/routers.ts';
import type { WorkerDrain, WorkerEntry } from '../../../shared/api/workers.ts';
import { monotonic } from '../clock.ts';
import type { ChangesTime } from './audit.ts';
import { get, type Page, type Sent, send } from './client.ts';
import { everyPage } from './every-page.ts';
import { listQuery } from './lists.ts';
import { type FleetReadings, readFleet } from './readings.ts';

/** Refetch interval of live data. Nothing is refetched while the page is hidden. */
export const LIVE_MS = 2_000;
/** The same for events of a host, which read the audit log. */
const EVENTS_MS = 15_000;

export const FLEET = ['platform', 'fleet'] as const;
export const AGENTS = ['platform', 'agents'] as const;

/** The current workers, and earlier readings of them, which are kept in memory only. */
export const fleetQuery = queryOptions({
  queryKey: FLEET,
  queryFn: async ({ client, signal }) => {
    const workers = await everyPage<WorkerEntry>('/workers', {}, signal);
    return readFleet(client.getQueryData<FleetReadings>(FLEET), workers, monotonic());
  },
  refetchInterval: LIVE_MS,
  structuralSharing: false,
});

export const agentsQuery = queryOptions({
  queryKey: AGENTS,
  queryFn: ({ signal }) => everyPage<Agent>('/agents', {}, signal),
  refetchInterval: LIVE_MS,
});

/** The newest agents, for the palette. */
export const hostsQuery = queryOptions({
  queryKey: ['platform', 'hosts'],
  queryFn: ({ signal }) => get<Page<Agent>>('/agents', { limit: 1000 }, signal),
});

export const routersQuery = queryOptions({
  queryKey: ['platform', 'routers'],
  queryFn: ({ signal }) => get<z.infer<typeof Routers>>('/routers', {}, signal),
  refetchInterval: LIVE_MS,
});

/** Those that have stopped within a week. */
export const stoppedRoutersQuery = queryOptions({
  queryKey: ['platform', 'stopped-routers'],
  queryFn: ({ signal }) => get<z.infer<typeof Routers>>('/routers', { state: 'stopped' }, signal),
  refetchInterval: 10_000,
});

export const routerQuery = (router: string) =>
  queryOptions({
    queryKey: ['platform', 'routers', router],
    queryFn: ({ signal }) => get<RouterDetail>(`/routers/${router}`, {}, signal),
    refetchInterval: LIVE_MS,
  });

/** A span up to now, or a range as ISO 8601. */
type RouterHistoryTime =
  | Readonly<{ span: NonNullable<RouterHistory['span']> }>
  | Readonly<{ start: string; end: string }>;

/** Routers write their figures every ten seconds. */
export const routerHistoryQuery = (router: string, time: RouterHistoryTime) =>
  queryOptions({
    queryKey: ['platform', 'routers', router, 'history', time],
    queryFn: ({ signal }) => get<RouterHistory>(`/routers/${router}/history`, time, signal),
    refetchInterval: 10_000,
  });

export const catalogQuery = queryOptions({
  queryKey: ['platform', 'catalog'],
  queryFn: ({ signal }) => get<CatalogStatus>('/catalog', {}, signal),
  refetchInterval: 10_000,
});

/** The sums of a period. `from` and `to` are days in UTC, both included. */
export const hostReportQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: ['platform', 'host-report', from, to],
    queryFn: async ({ signal }) => {
      const asked = { from, to, sum: 'period' };
      const { data } = await get<{ data: HostReportEntry[] }>('/agents/report', asked, signal);
      return data;
    },
    staleTime: 30_000,
    refetchInterval: 60_000,
  });

/** What routers have recorded of a host, for when it is not connected. */
export const lastKnownQuery = (agent: string) =>
  queryOptions({
    queryKey: [...AGENTS, agent, 'last-known'],
    queryFn: ({ signal }) => get<LastKnown>(`/agents/${agent}/last-known`, {}, signal),
    refetchInterval: EVENTS_MS,
  });

export const agentEventsKey = (agent: string) => [...AGENTS, agent, 'events'] as const;

/** What happened to an agent and its workers. */
export const agentEventsQuery = (agent: string) => ({
  ...listQuery<AgentEvent>(agentEventsKey(agent), `/agents/${agent}/events`),
  refetchInterval: EVENTS_MS,
});

/** The last of these events of a worker or of the whole host; null if none is known. */
export const lastEventQuery = (agent: string, worker: string, action: readonly string[]) =>
  queryOptions({
    queryKey: [...agentEventsKey(agent), 'last', worker, action],
    queryFn: async ({ signal }) => {
      const asked = { worker, action, limit: 1 };
      const { data } = await get<Page<AgentEvent>>(`/agents/${agent}/events`, asked, signal);
      return data[0] ?? null;
    },
    refetchInterval: EVENTS_MS,
  });

/** When hosts were lost and back in a time. */
export const hostLossesQuery = (time: ChangesTime) =>
  queryOptions({
    queryKey: [...AGENTS, 'losses', time],
    queryFn: async ({ signal }) =>
      (await get<{ data: HostLoss[] }>('/agents/losses', time, signal)).data,
    placeholderData: keepPreviousData,
    refetchInterval: EVENTS_MS,
  });

/** `reason`: why a host is drained; empty if nobody says. */
export function changeHost(
  agent: string,
  what: 'drain' | 'undrain' | 'revoke',
  reason: string,
): Promise<unknown> {
  const order: Sent<typeof DrainOrder> =
    what === 'drain' && reason.trim() !== '' ? { reason } : undefined;
  return send('POST', `/agents/${agent}/${what}`, order);
}

/** `reason`: why it is drained; empty if nobody says. */
export function drainWorker(id: string, reason: string): Promise<unknown> {
  const order: Sent<typeof WorkerDrain> = reason.trim() === '' ? { id } : { id, reason };
  return send('POST', '/workers/drain', order);
}
