/**
 * The API's own description: OpenAPI 3.1 at `/api/openapi.json`. `@fastify/swagger` makes it from
 * the routes' schemas. The dashboard shows it as a page at `/docs/api`.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import swagger from '@fastify/swagger';
import type { ListedRoute } from '../access/gate.ts';
import type { Api } from '../api.ts';
import { hasAnswer, takesGzip } from '../cached-answer.ts';
import { completeDocument } from './document.ts';
import { describeRoute } from './operation.ts';
import { errorComponents } from './refusals.ts';
import { nameSchemas } from './schemas.ts';
import { INFO, SECURITY_SCHEMES, TAGS } from './texts.ts';

/** The document as it is sent. It stays the same as long as the router runs. */
type Written = Readonly<{ text: string; gzipped: Buffer; etag: string }>;

/**
 * Serves the description. Call this before any route is added, because it collects routes as they
 * are registered. `routes` may be filled later.
 */
export function describeApi(app: Api, routes: readonly ListedRoute[]): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: INFO,
      servers: [{ url: '/', description: 'The router that serves this document.' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: { ...errorComponents(), securitySchemes: SECURITY_SCHEMES },
    },
    convertConstToEnum: false,
    transform: describeRoute(routes),
    transformObject: completeDocument,
  });
  let written: Promise<Written> | undefined;
  app.get('/api/openapi.json', async ({ headers }, reply) => {
    const { text, gzipped, etag } = await (written ??= write(app));
    reply.headers({ 'cache-control': 'no-cache', etag, vary: 'accept-encoding' });
    if (hasAnswer(headers, etag)) return reply.code(304).send();
    reply.type('application/json; charset=utf-8');
    if (!takesGzip(headers)) return reply.send(text);
    return reply.header('content-encoding', 'gzip').send(gzipped);
  });
  // The page had this address before it was a part of the dashboard.
  for (const path of ['/api/docs', '/api/docs/']) {
    app.get(path, async ({ url }, reply) =>
      reply.redirect(`/docs/api${URL.parse(url, 'http://router')?.search ?? ''}`, 308),
    );
  }
}

async function write(app: Api): Promise<Written> {
  await nameSchemas();
  const text = JSON.stringify(app.swagger());
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  return { text, gzipped: await promisify(gzip)(text), etag: `"${digest}"` };
}
