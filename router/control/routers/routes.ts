/** Lists the routers that run on this store, and shows each of them. */
import { z } from 'zod';
import { IncarnationIdText } from '../../../shared/api/ids.ts';
import type { IncarnationId } from '../../../shared/ids.ts';
import { MINUTE_MS } from '../../../shared/durations.ts';
import {
  type Router,
  RouterDetail,
  RouterHistory,
  RouterHistoryQuery,
  Routers,
  RoutersQuery,
} from '../../../shared/api/routers.ts';
import { Region } from '../../../shared/region-schema.ts';
import { DECLARED_DEAD } from '../../ledger/operations.ts';
import type { RouterRunRow } from '../../store/schema/fleet.ts';
import { type Api, found, instantOrNull, isoInstant } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import { findRouter, readRouterHistory } from './detail.ts';
import { rangeOf } from './history-range.ts';
import { type ListedRouter, listRouters } from './procedures.ts';
import { findStoppedRouter, listStoppedRouters } from './runs.ts';
import { stateOf } from './state.ts';

export type RouterParts = Pick<ControlParts, 'store' | 'clock'>;

type EndedRun = Readonly<{ id: IncarnationId }> & Pick<RouterRunRow, 'ended' | 'ended_by'>;

/** Figures of a router that are older are not shown. */
const RECENT_MS = MINUTE_MS;

const RouterPath = z.object({ router: IncarnationIdText });

export function routerRoutes(api: Api, { store, clock }: RouterParts): void {
  api.get(
    '/routers',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'List routers, newest first',
        tags: ['routers'],
        querystring: RoutersQuery,
        response: { 200: Routers },
      },
    },
    async ({ query: { state } }) => {
      if (state === 'stopped') {
        return { data: (await store.call(listStoppedRouters, null)).map(shownStopped) };
      }
      const routers = await store.call(listRouters, null);
      return { data: routers.map((router) => shown(router, clock.now())) };
    },
  );

  api.get(
    '/routers/:router',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'Get a router with the hosts that are connected to it',
        description: 'A router that has stopped is known for a week after its last report.',
        tags: ['routers'],
        params: RouterPath,
        response: { 200: RouterDetail },
      },
    },
    async ({ params }) => {
      const present = await store.call(findRouter, params.router);
      if (present === null) {
        const run = found(await store.call(findStoppedRouter, params.router), 'router');
        return { ...shownStopped(run), hosts: null };
      }
      const { router, hosts } = present;
      return { ...shown(router, clock.now()), hosts: hosts && [...hosts] };
    },
  );

  api.get(
    '/routers/:router/history',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'Get what a router has served in the last hour, day or week, or in a range',
        description:
          'Routers write their figures every ten seconds, in periods of five minutes that are kept ' +
          'for a week. Buckets are in UTC; those without a report are left out.',
        tags: ['routers'],
        params: RouterPath,
        querystring: RouterHistoryQuery,
        response: { 200: RouterHistory },
      },
    },
    async ({ params: { router }, query }) => {
      const range = rangeOf(query, clock.now());
      return found(await store.call(readRouterHistory, { router, ...range }), 'router');
    },
  );
}

function shown(router: ListedRouter, now: number): Router {
  const { id, beat, url, regions, started, version, running, loop_permille: loop } = router;
  return {
    id,
    url,
    regions: shownRegions(regions),
    started: isoInstant(started),
    version,
    beating: beat !== DECLARED_DEAD,
    state: stateOf(router, now),
    reported: instantOrNull(router.recent_at),
    host: router.host,
    pid: numberOrNull(router.pid),
    memory_bytes: numberOrNull(router.memory_bytes),
    loop_use: loop === null ? null : Number(loop) / 1_000,
    store_ms: numberOrNull(router.store_ms),
    agents: numberOrNull(router.agents),
    running: Number(running),
    ended: endOf(router),
    last_minute: lastMinute(router, now),
  };
}

function shownStopped({ router, url, regions, started, reported, ...run }: RouterRunRow): Router {
  return {
    id: router,
    url,
    regions: shownRegions(regions),
    started: isoInstant(started),
    version: run.version,
    beating: false,
    state: 'stopped',
    reported: isoInstant(reported),
    host: run.host,
    pid: numberOrNull(run.pid),
    ended: endOf({ id: router, ...run }),
    last_minute: null,
  };
}

function endOf({ id, ended, ended_by: by }: EndedRun): Router['ended'] {
  return ended === null ? null : { at: isoInstant(ended), declared_dead_by: by === id ? null : by };
}

/** A region of a later version is left out. */
function shownRegions(regions: string): Router['regions'] {
  return regions.split(',').flatMap((region) => Region.safeParse(region).data ?? []);
}

function lastMinute(router: ListedRouter, now: number): Router['last_minute'] {
  const { beat, recent_requests: requests, recent_errors: errors, recent_at: at } = router;
  const tokens = numberOrNull(router.recent_tokens);
  const isRecent = beat !== DECLARED_DEAD && at !== null && Number(at) > now - RECENT_MS;
  if (!isRecent || requests === null || errors === null) return null;
  return { requests: Number(requests), errors: Number(errors), tokens };
}

function numberOrNull(value: bigint | null): number | null {
  return value === null ? null : Number(value);
}
