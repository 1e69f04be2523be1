import { z } from 'zod';
import { OrganizationIdText } from '../../../shared/api/ids.ts';
import {
  NewOrganization,
  Organization,
  OrganizationChange,
  OrganizationPage,
} from '../../../shared/api/organizations.ts';
import { pageQuery } from '../../../shared/api/pages.ts';
import type { Clock } from '../../../shared/clock.ts';
import { formatUsd } from '../../../shared/money.ts';
import type { Random } from '../../../shared/random.ts';
import {
  type Billing,
  newOrganization,
  type Organization as StoredOrganization,
} from '../../ledger/organizations.ts';
import type { Store } from '../../store/store.ts';
import { type Api, found, isoInstant, Refused } from '../api.ts';
import { limitsWanted, shownLimits } from '../limits.ts';
import { answerPage } from '../pages.ts';
import { changeAudited, findOrganization, listOrganizations, openAudited } from './procedures.ts';

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
    {
      config: { access: 'operator', action: 'organization.create' },
      schema: {
        summary: 'Open an organization with its welcome credit',
        tags: ['organizations'],
        body: NewOrganization,
        response: { 201: Organization },
      },
    },
    async (request, reply) => {
      const input = newOrganization(parts, request.body);
      const { id: organization, name } = input;
      const mark = request.mark({ organization, target: organization, details: { name } });
      return reply.code(201).send(shown(await store.call(openAudited, { input, mark })));
    },
  );

  api.get(
    '/organizations',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'All organizations',
        tags: ['organizations'],
        querystring: pageQuery(OrganizationIdText),
        response: { 200: OrganizationPage },
      },
    },
    async ({ query: { limit, after = null } }) =>
      answerPage(await store.call(listOrganizations, { limit, after }), shown),
  );

  api.get(
    '/organizations/:organization',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'An organization',
        tags: ['organizations'],
        params: OrganizationPath,
        response: { 200: Organization },
      },
    },
    async ({ params: { organization } }) =>
      shown(found(await store.call(findOrganization, organization), 'organization')),
  );

  api.patch(
    '/organizations/:organization',
    {
      config: { access: 'operator', action: 'organization.change' },
      schema: {
        summary: 'Change an organization',
        tags: ['organizations'],
        params: OrganizationPath,
        body: OrganizationChange,
        response: { 200: Organization },
      },
    },
    async (request) => {
      const { organization } = request.params;
      const { status, region, limits, billing } = request.body;
      const answer = await store.call(changeAudited, {
        input: {
          organization,
          change: { status, region, limits: limitsWanted(limits), billing: billingWanted(billing) },
        },
        mark: request.mark({
          organization,
          target: organization,
          details: { changed: Object.keys(request.body).join(', ') },
        }),
      });
      if (answer === 'unknown') throw new Refused('not_found', 'There is no such organization.');
      if (answer === 'would_overdraw') {
        throw new Refused(
          'conflict',
          'The organization owes or holds more than it would be allowed to: credit it first.',
          billing ? 'billing' : 'status',
        );
      }
      return shown(answer);
    },
  );
}

function shown(organization: StoredOrganization): Organization {
  const { id, name, region, status, billing, creditLimit, limits, created } = organization;
  return {
    id,
    name,
    region,
    status,
    billing:
      billing === 'invoiced'
        ? { type: billing, credit_limit: formatUsd(creditLimit) }
        : { type: billing },
    limits: shownLimits(limits),
    created: isoInstant(created),
  };
}

function billingWanted(change: OrganizationChange['billing']): Billing | undefined {
  if (change?.type !== 'invoiced') return change && { billing: change.type };
  return { billing: change.type, creditLimit: change.credit_limit };
}
