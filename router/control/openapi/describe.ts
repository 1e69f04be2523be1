/**
 * The API's own description: OpenAPI 3.1 at `/api/openapi.json`, and a page to read it at
 * `/api/docs`. `@fastify/swagger` makes it from the routes' schemas.
 */
import swagger from '@fastify/swagger';
import type { ListedRoute } from '../access/gate.ts';
import type { Api } from '../api.ts';
import { completeDocument } from './document.ts';
import { describeRoute } from './operation.ts';
import { documentPages } from './page.ts';
import { errorComponents } from './refusals.ts';
import { nameSchemas } from './schemas.ts';
import { INFO, SECURITY_SCHEMES, TAGS } from './texts.ts';

/**
 * Serves the description. Call this before any route is added, because it collects routes as they
 * are registered. `routes` may be filled later. `secure`: whether browsers use TLS.
 */
export function describeApi(app: Api, routes: readonly ListedRoute[], secure: boolean): void {
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
  let named: Promise<void> | undefined;
  app.get('/api/openapi.json', async (_request, reply) => {
    await (named ??= nameSchemas());
    return reply.header('cache-control', 'no-cache').send(app.swagger());
  });
  documentPages(app, secure);
}
