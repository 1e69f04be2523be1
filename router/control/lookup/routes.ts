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
        summary: 'Find the key, payment or invoice of the organization by an ID or a number',
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
        summary: 'Find the key, payment, invoice or job of any organization by an ID or a number',
        tags: ['organizations'],
        querystring: LookupQuery,
        response: { 200: Lookup },
      },
    },
    async ({ query: { id } }) =>
      found(await store.call(lookUp, { id, organization: null }), 'organization'),
  );
}
