import { Lookup, LookupQuery } from '../../../shared/api/lookup.ts';
import { type Api, found } from '../api.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import type { ControlParts } from '../parts.ts';
import { lookUp } from './procedures.ts';

export function lookupRoutes(api: Api, { store }: Pick<ControlParts, 'store'>): void {
  api.get(
    '/organizations/:organization/lookup',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'The key, payment or invoice of the organization that an ID or a number names',
        tags: ['organizations'],
        params: OrganizationPath,
        querystring: LookupQuery,
        response: { 200: Lookup },
      },
    },
    async ({ params: { organization }, query: { id } }) =>
      found(await store.call(lookUp, { id, organization }), 'organization'),
  );

  api.get(
    '/lookup',
    {
      config: { access: 'operator' },
      schema: {
        summary:
          'The key, payment, invoice or job that an ID or a number names, of any organization',
        tags: ['organizations'],
        querystring: LookupQuery,
        response: { 200: Lookup },
      },
    },
    async ({ query: { id } }) =>
      found(await store.call(lookUp, { id, organization: null }), 'organization'),
  );
}
