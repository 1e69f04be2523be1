import { z } from 'zod';
import { pageQuery } from '../../../shared/api/pages.ts';
import { NewRate, Rate, RatePage, RateRemoved } from '../../../shared/api/rates.ts';
import { formatUsd } from '../../../shared/money.ts';
import type { Rate as StoredRate } from '../../identity/rates.ts';
import { type Api, found, isoInstant, noSuch } from '../api.ts';
import { ModelIdSegment } from '../models/path.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { listRatesOf, removeRateAudited, setRateAudited } from './procedures.ts';

export type RateParts = Pick<ControlParts, 'store' | 'clock'>;

const RatePath = OrganizationPath.extend({ namespace: ModelIdSegment, model: ModelIdSegment });

export function rateRoutes(api: Api, { store, clock }: RateParts): void {
  api.get(
    '/organizations/:organization/rates',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'List the prices agreed with the organization',
        tags: ['rates'],
        params: OrganizationPath,
        querystring: pageQuery(z.string().max(401)),
        response: { 200: RatePage },
      },
    },
    async ({ params: { organization }, query: { limit, after = null } }) => {
      const page = await store.call(listRatesOf, { organization, limit, after });
      return answerPage(found(page, 'organization'), shown);
    },
  );

  api.put(
    '/organizations/:organization/rates/:namespace/:model',
    {
      config: { access: 'operator', action: 'rate.set' },
      schema: {
        summary: 'Set the price of a model for the organization',
        tags: ['rates'],
        params: RatePath,
        body: NewRate,
        response: { 200: Rate },
      },
    },
    async (request) => {
      const { organization } = request.params;
      const { prompt, completion, input_cache_read: cached } = request.body;
      const model = modelOf(request.params);
      const rate = await store.call(setRateAudited, {
        input: { organization, model, price: { prompt, completion, cached }, created: clock.now() },
        entry: request.auditEntry({
          organization,
          target: model,
          details: {
            prompt: formatUsd(prompt),
            completion: formatUsd(completion),
            input_cache_read: formatUsd(cached),
          },
        }),
      });
      if (rate === 'unknown') throw noSuch('organization');
      return shown(rate);
    },
  );

  api.delete(
    '/organizations/:organization/rates/:namespace/:model',
    {
      config: { access: 'operator', action: 'rate.remove' },
      schema: {
        summary: 'Remove the price of a model; its list price applies again',
        tags: ['rates'],
        params: RatePath,
        response: { 200: RateRemoved },
      },
    },
    async (request) => {
      const { organization } = request.params;
      const model = modelOf(request.params);
      const answer = await store.call(removeRateAudited, {
        input: { organization, model },
        entry: request.auditEntry({ organization, target: model }),
      });
      if (answer === 'unknown') throw noSuch('rate');
      return { model, deleted: true as const };
    },
  );
}

function modelOf({ namespace, model }: z.output<typeof RatePath>): string {
  return `${namespace}/${model}`;
}

function shown({ model, price, created }: StoredRate): Rate {
  return {
    model,
    prompt: formatUsd(price.prompt),
    completion: formatUsd(price.completion),
    input_cache_read: formatUsd(price.cached),
    created: isoInstant(created),
  };
}
