/**
 * The models with their prices and measured figures, and the state of each: for anybody, or only for
 * people who are signed in (`control.publicModels`).
 */
import { z } from 'zod';
import { ModelHistory, PublicModels, Status } from '../../../shared/api/public-figures.ts';
import { FIGURE_SPANS } from '../../../shared/public-figures.ts';
import { type Api, found, sendJson } from '../api.ts';
import { ModelIdSegment } from '../models/path.ts';
import type { ControlParts } from '../parts.ts';
import type { PublicFigures } from './answers.ts';
import type { ModelHistories } from './model-histories.ts';
import type { ReadLimit } from './read-limit.ts';

export type PublicFiguresParts = Pick<ControlParts, 'publicModels'> &
  Readonly<{ figures: PublicFigures; histories: ModelHistories; checkRate: ReadLimit }>;

export function publicFiguresRoutes(api: Api, parts: PublicFiguresParts): void {
  const { publicModels, figures, histories, checkRate } = parts;
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
    '/models/:namespace/:model/history',
    {
      config: { access },
      schema: {
        summary: 'Get the time to first token and the speed of a model over time',
        description:
          'The answer for an hour is made anew at most every 30 seconds, that for a day every minute, ' +
          'and that for 30 days every ten minutes.',
        tags: ['models'],
        params: z.object({ namespace: ModelIdSegment, model: ModelIdSegment }),
        querystring: z.strictObject({
          span: z
            .enum(FIGURE_SPANS)
            .default('day')
            .describe('How long before now the figures begin: an hour, a day, or 30 days.'),
        }),
        response: { 200: ModelHistory },
      },
    },
    async (request, reply) => {
      checkRate(request);
      const { namespace, model } = request.params;
      const answer = await histories.read(`${namespace}/${model}`, request.query.span);
      return sendJson(reply, found(answer, 'model'));
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
