/** OpenAPI 3.1 of the management API, made from the routes' own schemas. */
import swagger from '@fastify/swagger';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import type { Api } from '../api.ts';

/** Before any route is added: it hears of each. */
export function describeApi(app: Api): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Penstock management API', version: '1' },
    },
    transform: jsonSchemaTransform,
  });
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
