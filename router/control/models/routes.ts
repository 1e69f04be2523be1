import { z } from 'zod';
import { CatalogStatus, type Model, ModelPage } from '../../../shared/api/models.ts';
import { FOREIGN_CURSOR, pageQuery } from '../../../shared/api/pages.ts';
import { formatUsd, type Price } from '../../../shared/money.ts';
import { publicEntry, type ServedModel } from '../../catalog/live.ts';
import { type Api, found, isoInstant, Refused } from '../api.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import { answerPage, cutPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { type Agreed, findAgreed } from './procedures.ts';
import { isServedNow } from './served-now.ts';

export type ModelParts = Pick<ControlParts, 'store' | 'catalog' | 'fleet'>;

/** Two segments of up to 200 characters and a slash, as in a rate's path. */
const MODEL_CHARS_MAX = 401;

export function modelRoutes(api: Api, { store, catalog, fleet }: ModelParts): void {
  api.get(
    '/organizations/:organization/models',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'List models, with the prices that the organization is billed',
        tags: ['models'],
        params: OrganizationPath,
        querystring: pageQuery(z.string().max(MODEL_CHARS_MAX)),
        response: { 200: ModelPage },
      },
    },
    async ({ params: { organization }, query: { limit, after = null } }) => {
      const { rows, next } = cutPage(modelsAfter(catalog, after), limit, ({ entry }) => entry.id);
      const models = rows.map(({ entry }) => entry.id);
      const agreed = found(await store.call(findAgreed, { organization, models }), 'organization');
      return answerPage({ rows, next }, (model) => shown(model, agreed));
    },
  );

  api.get(
    '/catalog',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'Get the status of the catalog, and any fault in its file',
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
      available: isServedNow(fleet, entry.id, region),
    };
  }
}

/** In the catalog's own order. Throws `Refused` when `after` is not in the catalog. */
function modelsAfter({ models }: ModelParts['catalog'], after: string | null): ServedModel[] {
  const all = [...models];
  if (after === null) return all;
  const last = all.findIndex(({ entry }) => entry.id === after);
  if (last < 0) throw new Refused('invalid_value', FOREIGN_CURSOR, 'after');
  return all.slice(last + 1);
}

function pricesOf({ prompt, completion, cached }: Price): Model['billed'] {
  return {
    prompt: formatUsd(prompt),
    completion: formatUsd(completion),
    input_cache_read: formatUsd(cached),
  };
}
