/**
 * The models with their prices and measured figures, and the state of each: for anybody, or only for
 * people who are signed in (`control.publicModels`).
 */
import type { FastifyRequest } from 'fastify';
import { PublicModels, Status } from '../../../shared/api/public-figures.ts';
import { addressBlock } from '../../../shared/bounds/address-block.ts';
import { PeerRates } from '../../../shared/bounds/peer-rates.ts';
import { type Api, Refused, sendJson } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import type { PublicFigures } from './answers.ts';

export type PublicFiguresParts = Pick<ControlParts, 'clock' | 'publicModels'> &
  Readonly<{ figures: PublicFigures }>;

/** Requests of one address (of IPv6: its first 64 bits), and of all together. */
export const PUBLIC_READS = {
  all: { perSecond: 500, burst: 1_000 },
  peer: { perSecond: 10, burst: 50 },
  peersMax: 16_384,
} as const;

export function publicFiguresRoutes(api: Api, parts: PublicFiguresParts): void {
  const { clock, publicModels, figures } = parts;
  const rates = new PeerRates<string>(clock, PUBLIC_READS);
  const access = publicModels ? 'public' : 'person';
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
      return sendJson(reply, (await figures.get()).models);
    },
  );

  api.get(
    '/status',
    {
      config: { access },
      schema: {
        summary: 'The state of each model by region, and its uptime',
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
