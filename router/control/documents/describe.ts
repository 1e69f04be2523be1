/**
 * The API's own description: OpenAPI 3.1 at `/api/openapi.json`, and a page to read it at
 * `/api/docs`.
 */
import type { Api } from '../api.ts';
import { makeDocument, type OpenApi } from './document.ts';
import { type DescribedRoute, describedRoute } from './described-route.ts';
import { documentPages } from './page.ts';

/**
 * Serves the description. Call this before any route is added, because it collects routes as they
 * are registered.
 */
export function describeApi(app: Api): void {
  const routes: DescribedRoute[] = [];
  let made: Promise<OpenApi> | undefined;
  app.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) {
      const described = describedRoute(route, method);
      if (described) routes.push(described);
    }
  });
  app.get('/api/openapi.json', async (_request, reply) => {
    made ??= makeDocument(routes);
    const document = await made;
    return reply.header('cache-control', 'no-cache').send(document);
  });
  documentPages(app);
}
