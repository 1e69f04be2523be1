import { z } from 'zod';
import { RequestIdText } from '../../../shared/api/ids.ts';
import {
  FoundRequest,
  OperatorFoundRequest,
  RefusalCounts,
  RefusalCountsQuery,
  RefusalPage,
  RefusalQuery,
} from '../../../shared/api/refusals.ts';
import { type Api, found, Refused } from '../api.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { SEVERAL } from '../usage/routes.ts';
import { shownDetail, shownToOperator } from '../usage/serialize.ts';
import { countNamedRefusals, findRequest, listNamedRefusals } from './procedures.ts';
import { refusalToOperator, shownCounts, shownRefusal } from './serialize.ts';
import { SUMS_MAX } from '../../usage/refusals/listings.ts';
import { codesOf, countSpan } from './span.ts';

const RequestPath = OrganizationPath.extend({ request: RequestIdText });

export function refusalRoutes(api: Api, { store, clock }: Pick<ControlParts, 'store' | 'clock'>) {
  const config = { access: { organization: 'read' } } as const;

  api.get(
    '/organizations/:organization/refusals',
    {
      config,
      schema: {
        summary: 'List requests that were refused before they were admitted, newest first',
        description:
          'Of each error code, the latest 200 are kept for up to 30 days. When many requests are ' +
          'refused, only a sample is listed; the counts have all of them. A refusal appears about ' +
          'a second later. Refused requests cost nothing and are not part of usage. ' +
          SEVERAL,
        tags: ['usage'],
        params: OrganizationPath,
        querystring: RefusalQuery,
        response: { 200: RefusalPage },
      },
    },
    async ({ params: { organization }, query }) => {
      const { after, limit, start, end, key, model } = query;
      const page = await store.call(listNamedRefusals, {
        organization,
        before: after ?? null,
        limit,
        from: start,
        until: end,
        key,
        model,
        codes: codesOf(query),
      });
      return answerPage(found(page, 'organization'), shownRefusal);
    },
  );

  api.get(
    '/organizations/:organization/refusals/counts',
    {
      config,
      schema: {
        summary: 'Count refused requests, by time and by code or key',
        description:
          'Counts are exact. Buckets of minutes go back 48 hours, those of hours and days 30 days. ' +
          'Buckets without refusals are left out. A response has at most 1,500 buckets and 5,000 ' +
          `figures. ${SEVERAL}`,
        tags: ['usage'],
        params: OrganizationPath,
        querystring: RefusalCountsQuery,
        response: { 200: RefusalCounts },
      },
    },
    async ({ params: { organization }, query }) => {
      const span = countSpan(query, clock.now());
      const { key, group_by: groupBy = null } = query;
      const { from, until, minutes } = span;
      const counted = await store.call(countNamedRefusals, {
        organization,
        from: from * minutes,
        until: until * minutes,
        minutes,
        groupBy,
        key,
        codes: codesOf(query),
      });
      const counts = found(counted, 'organization');
      if (counts.sums.length > SUMS_MAX) throw new Refused('invalid_value', TOO_MANY, 'bucket');
      return shownCounts(counts, span, groupBy);
    },
  );

  api.get(
    '/organizations/:organization/requests/:request',
    {
      config,
      schema: {
        summary: 'Get a request, whether it was admitted or refused',
        description: 'Either `usage` or `refusal` is null.',
        tags: ['usage'],
        params: RequestPath,
        response: { 200: FoundRequest },
      },
    },
    async ({ params }) => {
      const { usage, refusal } = found(await store.call(findRequest, params), 'request');
      return {
        usage: usage && shownDetail(usage),
        refusal: refusal && shownRefusal(refusal),
      };
    },
  );

  api.get(
    '/requests/:request',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'Get a request of any organization',
        description: 'A request that was refused before it was admitted has a `code`.',
        tags: ['usage'],
        params: z.object({ request: RequestIdText }),
        response: { 200: OperatorFoundRequest },
      },
    },
    async ({ params: { request } }) => {
      const either = await store.call(findRequest, { organization: null, request });
      const { usage, refusal } = found(either, 'request');
      return usage ? shownToOperator(usage) : refusalToOperator(refusal);
    },
  );
}

const TOO_MANY =
  'There are too many figures for one response. Request a shorter span or a longer bucket, or only one key or code.';
