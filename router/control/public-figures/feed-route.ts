/**
 * The feed of incidents, at an address without a version, because people subscribe to it for years.
 * Programs that read feeds cannot sign in, so there is no feed where the status is not public.
 */
import type { Api } from '../api.ts';
import { hasAnswer } from '../cached-answer.ts';
import type { ControlParts } from '../parts.ts';
import type { PublicFigures } from './answers.ts';
import { FEED_PATH } from './feed.ts';
import type { ReadLimit } from './read-limit.ts';

export type FeedRouteParts = Pick<ControlParts, 'publicModels'> &
  Readonly<{ figures: PublicFigures; checkRate: ReadLimit }>;

export function feedRoute(app: Api, { publicModels, figures, checkRate }: FeedRouteParts): void {
  if (!publicModels) return;
  app.get(FEED_PATH, { schema: { hide: true } }, async (request, reply) => {
    checkRate(request);
    const { bytes, etag } = (await figures.get()).feed;
    reply.header('etag', etag).header('cache-control', 'public, max-age=60');
    if (hasAnswer(request.headers, etag)) return reply.code(304).send();
    return reply.type('application/atom+xml; charset=utf-8').send(bytes);
  });
}
