/** Lists the routers that run on this store. */
import { MINUTE_MS } from '../../../shared/durations.ts';
import { type Router, Routers } from '../../../shared/api/routers.ts';
import { Region } from '../../../shared/region.ts';
import { DECLARED_DEAD } from '../../ledger/operations.ts';
import { type Api, instantOrNull, isoInstant } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import { type ListedRouter, listRouters } from './procedures.ts';
import { stateOf } from './state.ts';

export type RouterParts = Pick<ControlParts, 'store' | 'clock'>;

/** Figures of a router that are older are not shown. */
const RECENT_MS = MINUTE_MS;

export function routerRoutes(api: Api, { store, clock }: RouterParts): void {
  api.get(
    '/routers',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'List routers, newest first',
        tags: ['routers'],
        response: { 200: Routers },
      },
    },
    async () => {
      const routers = await store.call(listRouters, null);
      return { data: routers.map((router) => shown(router, clock.now())) };
    },
  );
}

function shown(router: ListedRouter, now: number): Router {
  const { id, beat, url, regions, started, version, running, loop_permille: loop } = router;
  return {
    id,
    url,
    regions: regions.split(',').flatMap((region) => Region.safeParse(region).data ?? []),
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
    last_minute: lastMinute(router, now),
  };
}

function lastMinute(router: ListedRouter, now: number): Router['last_minute'] {
  const { beat, recent_requests: requests, recent_errors: errors, recent_at: at } = router;
  const isRecent = beat !== DECLARED_DEAD && at !== null && Number(at) > now - RECENT_MS;
  if (!isRecent || requests === null || errors === null) return null;
  return { requests: Number(requests), errors: Number(errors) };
}

function numberOrNull(value: bigint | null): number | null {
  return value === null ? null : Number(value);
}
