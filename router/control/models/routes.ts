import { CatalogStatus, type Model, ModelPage } from '../../../shared/api/models.ts';
import { formatUsd, type Price } from '../../../shared/money.ts';
import { type LiveCatalog, publicEntry, type ServedModel } from '../../catalog/live.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { StoreReader } from '../../store/store.ts';
import { type Api, found, isoInstant } from '../api.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import { type Agreed, findAgreed } from './procedures.ts';

export type ModelParts = Readonly<{
  store: Pick<StoreReader, 'call'>;
  catalog: Pick<LiveCatalog, 'models' | 'status'>;
  fleet: Pick<Fleet, 'serving'>;
}>;

export function modelRoutes(api: Api, { store, catalog, fleet }: ModelParts): void {
  api.get(
    '/organizations/:organization/models',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'The catalog, with what the organization is billed',
        tags: ['models'],
        params: OrganizationPath,
        response: { 200: ModelPage },
      },
    },
    async ({ params: { organization } }) => {
      const served = [...catalog.models];
      const models = served.map(({ entry }) => entry.id);
      const agreed = found(await store.call(findAgreed, { organization, models }), 'organization');
      return { data: served.map((model) => shown(model, agreed)), has_more: false, next: null };
    },
  );

  api.get(
    '/catalog',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'What the catalog in force is, and whether its file has a fault',
        tags: ['models'],
        response: { 200: CatalogStatus },
      },
    },
    async () => {
      const { models, loaded, fault } = catalog.status;
      return { models, loaded: isoInstant(loaded), fault };
    },
  );

  function shown({ entry, price }: ServedModel, { region, rates }: Agreed): Model {
    const rate = rates.get(entry.id);
    return {
      ...publicEntry(entry),
      billed: pricesOf(rate ?? price.price),
      agreed: rate !== undefined,
      available: fleet.serving(entry.id, region).length > 0,
    };
  }
}

function pricesOf({ prompt, completion, cached }: Price): Model['billed'] {
  return {
    prompt: formatUsd(prompt),
    completion: formatUsd(completion),
    input_cache_read: formatUsd(cached),
  };
}
