import { z } from 'zod';
import { OrganizationIdText } from '../../../shared/api/ids.ts';
import { NewOrganization, Organization, OrganizationPage } from '../../../shared/api/management.ts';
import { pageQuery } from '../../../shared/api/pages.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { Random } from '../../../shared/random.ts';
import {
  createOrganization,
  type Organization as StoredOrganization,
} from '../../ledger/organizations.ts';
import type { Store } from '../../store/store.ts';
import { type Api, found, isoInstant } from '../api.ts';
import { answerPage } from '../pages.ts';
import { findOrganization, listOrganizations } from './procedures.ts';

export type OrganizationParts = Readonly<{
  store: Pick<Store, 'call'>;
  clock: Clock;
  random: Random;
}>;

/** What every path below an organization begins with. */
export const OrganizationPath = z.object({ organization: OrganizationIdText });

export function organizationRoutes(api: Api, parts: OrganizationParts): void {
  const { store } = parts;

  api.post(
    '/organizations',
    { schema: { body: NewOrganization, response: { 201: Organization } } },
    async ({ body }, reply) => reply.code(201).send(shown(await createOrganization(parts, body))),
  );

  api.get(
    '/organizations',
    { schema: { querystring: pageQuery(OrganizationIdText), response: { 200: OrganizationPage } } },
    async ({ query: { limit, after = null } }) =>
      answerPage(await store.call(listOrganizations, { limit, after }), shown),
  );

  api.get(
    '/organizations/:organization',
    { schema: { params: OrganizationPath, response: { 200: Organization } } },
    async ({ params: { organization } }) =>
      shown(found(await store.call(findOrganization, organization), 'organization')),
  );
}

function shown(organization: StoredOrganization): Organization {
  return { ...organization, created: isoInstant(organization.created) };
}
