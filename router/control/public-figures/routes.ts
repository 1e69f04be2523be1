/**
 * The models with their prices and measured figures, and the state of each: for anybody, or only for
 * people who are signed in (`control.publicModels`). However many ask, the history is read once in
 * ten seconds for the last hour, and once in ten minutes for longer times.
 */
import type { FastifyRequest } from 'fastify';
import { PublicModels, Status } from '../../../shared/api/public-figures.ts';
import { addressBlock } from '../../../shared/bounds/address-block.ts';
import { PeerRates } from '../../../shared/bounds/peer-rates.ts';
import { limits } from '../../../shared/limits.ts';
import { REGIONS } from '../../../shared/region.ts';
import { MINUTE_MS } from '../../history/levels.ts';
import { type ModelsQuery, readLongFigures, readRecentFigures } from '../../history/models.ts';
import { type Api, isoInstant, Refused, sendJson } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import { compose } from './compose.ts';
import { Kept } from './kept.ts';

export type PublicFiguresParts = Pick<
  ControlParts,
  'store' | 'clock' | 'catalog' | 'urls' | 'publicModels'
>;

const RECENT_MS_MAX = 10_000;
const LONG_MS_MAX = 10 * MINUTE_MS;

export function publicFiguresRoutes(api: Api, parts: PublicFiguresParts): void {
  const answers = keepAnswers(parts);
  const rates = new PeerRates<string>(parts.clock, limits.publicReads);
  const access = parts.publicModels ? 'public' : 'person';
  const checkRate = ({ ip }: FastifyRequest) => {
    if (rates.spend(addressBlock(ip))) return;
    const message = 'Your network sends too many requests at once: retry shortly.';
    throw new Refused('rate_limited', message, undefined, 1);
  };

  api.get(
    '/models',
    {
      config: { access },
      schema: {
        summary: 'All models, with list prices and measured figures',
        description:
          'Figures are at most ten seconds older than the last minute that the routers have written; ' +
          'those of a day and of 30 days up to ten minutes. The list has no pages.',
        tags: ['models'],
        response: { 200: PublicModels },
      },
    },
    async (request, reply) => {
      checkRate(request);
      return sendJson(reply, (await answers.get()).models);
    },
  );

  api.get(
    '/status',
    {
      config: { access },
      schema: {
        summary: 'The state of each model by region, and its uptime',
        description:
          'The state is made from the last ten minutes. Time in which no router ran counts as down.',
        tags: ['models'],
        response: { 200: Status },
      },
    },
    async (request, reply) => {
      checkRate(request);
      return sendJson(reply, (await answers.get()).status);
    },
  );
}

type Answers = Readonly<Record<'models' | 'status', Uint8Array>>;

function keepAnswers({ store, clock, catalog, urls }: PublicFiguresParts): Kept<Answers> {
  const query = (): ModelsQuery => {
    const now = clock.now();
    const models = [...catalog.models].map(({ entry }) => entry.id);
    return { models, now: now - (now % MINUTE_MS) };
  };
  const long = new Kept(clock, LONG_MS_MAX, () => store.call(readLongFigures, query()));
  return new Kept(clock, RECENT_MS_MAX, async () => {
    const asked = query();
    const composed = compose({
      models: [...catalog.models],
      recent: await store.call(readRecentFigures, asked),
      long: await long.get(),
      regions: REGIONS.filter((region) => urls.baseUrl(region) !== null),
    });
    const as_of = isoInstant(asked.now);
    const models: PublicModels = { as_of, data: [...composed.models] };
    const status: Status = { as_of, models: composed.status };
    return { models: written(models), status: written(status) };
  });
}

function written(answer: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(answer));
}
