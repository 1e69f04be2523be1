/** Lists the routers that run on this store. */
import { type Router, Routers } from '../../../shared/api/routers.ts';
import { Region } from '../../../shared/region.ts';
import { DECLARED_DEAD } from '../../ledger/operations.ts';
import { type Api, isoInstant } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import { type ListedRouter, listRouters } from './procedures.ts';

export type RouterParts = Pick<ControlParts, 'store'>;

export function routerRoutes(api: Api, { store }: RouterParts): void {
  api.get(
    '/routers',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'The routers of the installation, newest first',
        tags: ['routers'],
        response: { 200: Routers },
      },
    },
    async () => ({ data: (await store.call(listRouters, null)).map(shown) }),
  );
}

function shown({ id, beat, url, regions, started, version, running }: ListedRouter): Router {
  return {
    id,
    url,
    regions: regions.split(',').flatMap((region) => Region.safeParse(region).data ?? []),
    started: isoInstant(started),
    version,
    beating: beat !== DECLARED_DEAD,
    running: Number(running),
  };
}
