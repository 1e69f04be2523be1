/**
 * The models with their prices and measured figures, and the state of each: for anybody, or only for
 * people who are signed in (`control.publicModels`).
 */
import { PublicModels, Status } from '../../../shared/api/public-figures.ts';
import { type Api, sendJson } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import type { PublicFigures } from './answers.ts';
import type { ReadLimit } from './read-limit.ts';

export type PublicFiguresParts = Pick<ControlParts, 'publicModels'> &
  Readonly<{ figures: PublicFigures; checkRate: ReadLimit }>;

export function publicFiguresRoutes(api: Api, parts: PublicFiguresParts): void {
  const { publicModels, figures, checkRate } = parts;
  const access = publicModels ? 'public' : 'person';

  api.get(
    '/models',
    {
      config: { access },
      schema: {
        summary: 'List models, with list prices and measured figures',
        description:
          'Figures are at most ten seconds older than the last minute that the routers have written, ' +
          'and those of a longer time have every request of those of a shorter one. Uptimes are up to ' +
          'ten minutes older. The list has no pages.',
        tags: ['models'],
        response: { 200: PublicModels },
      },
    },
    async (request, reply) => {
      checkRate(request);
      return sendJson(reply, (await figures.get()).models);
    },
  );

  api.get(
    '/status',
    {
      config: { access },
      schema: {
        summary: 'Get the state of each model by region, and its uptime',
        description:
          'The state is made from the last ten minutes. It is worse if the router sees no worker of ' +
          'the model now. Time in which no router ran counts as down.',
        tags: ['models'],
        response: { 200: Status },
      },
    },
    async (request, reply) => {
      checkRate(request);
      return sendJson(reply, (await figures.get()).status);
    },
  );
}
