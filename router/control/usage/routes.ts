import { RequestIdText } from '../../../shared/api/ids.ts';
import {
  UsageDetail,
  UsagePage,
  UsageQuery,
  UsageSummary,
  UsageSummaryQuery,
} from '../../../shared/api/usage.ts';
import { FILTER_VALUES_MAX } from '../../../shared/bounds/filter-values.ts';
import type { UsageFilter } from '../../usage/listings.ts';
import type { SummaryQuery } from '../../usage/rollups/summary-query.ts';
import { startOf } from '../../usage/time-buckets.ts';
import { type Api, found, isoInstant, Refused, sendJson } from '../api.ts';
import { inJsonOrCsv } from '../json-or-csv.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import { CSV_ROWS } from '../csv-file.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { sendEntries, sendFile } from './csv.ts';
import { look, pagesFrom } from './look.ts';
import { findNamedUsage } from './procedures.ts';
import { shownDetail, shownEntry } from './serialize.ts';
import { spanOf } from './span.ts';
import { writeUsageSummary } from './write-summary.ts';

export type UsageParts = Pick<ControlParts, 'store' | 'clock'>;

const RequestPath = OrganizationPath.extend({ request: RequestIdText });

export function usageRoutes(api: Api, { store, clock }: UsageParts): void {
  const config = { access: { organization: 'read' } } as const;

  api.get(
    '/organizations/:organization/usage',
    {
      config,
      schema: {
        summary: 'List requests, newest first',
        description:
          `${SEVERAL} ` +
          'A page of a filtered list may have fewer rows than its limit, or none. `has_more` ' +
          'says whether more rows follow. The CSV has all rows from `after` on.',
        tags: ['usage'],
        params: OrganizationPath,
        querystring: UsageQuery,
        response: { 200: inJsonOrCsv(UsagePage) },
      },
    },
    async ({ params: { organization }, query }, reply) => {
      const filter = filterOf(organization, query);
      const isCsv = query.format === 'csv';
      const first = found(
        await look(store, isCsv ? { ...filter, limit: CSV_ROWS } : filter),
        'organization',
      );
      if (!isCsv) return answerPage(first, shownEntry);
      return sendEntries(reply, pagesFrom(store, filter, first));
    },
  );

  api.get(
    '/organizations/:organization/usage/summary',
    {
      config,
      schema: {
        summary: 'Get usage by time, and by model, key, member or source',
        description:
          'Buckets are whole and in UTC; the response has the start of each, and `start` and `end` ' +
          'of the whole span. A request belongs to the bucket in which it arrived. A response has at most 1,500 buckets, and ' +
          'at most 3,000 figures (buckets times groups). Minute buckets exist for the last 14 ' +
          'days, hour buckets for the last 400 days. ' +
          SEVERAL,
        tags: ['usage'],
        params: OrganizationPath,
        querystring: UsageSummaryQuery,
        response: { 200: inJsonOrCsv(UsageSummary) },
      },
    },
    async ({ params: { organization }, query }, reply) => {
      const span = spanOf(query, clock.now());
      const { bucket, group_by, model, key, member, source, status } = query;
      const asked: SummaryQuery = {
        organization,
        bucket,
        ...span,
        groupBy: group_by ?? null,
        filters: { model, key, member, source },
        status,
      };
      const answer = found(
        await store.call(writeUsageSummary, { query: asked, format: query.format }),
        'organization',
      );
      if (answer === 'too_wide') throw new Refused('invalid_value', TOO_WIDE, 'bucket');
      if (query.format === 'csv') return sendFile(reply, summaryName(asked, clock.now()), answer);
      return sendJson(reply, answer);
    },
  );

  api.get(
    '/organizations/:organization/usage/:request',
    {
      config,
      schema: {
        summary: 'Get a request, with its cost line by line',
        tags: ['usage'],
        params: RequestPath,
        response: { 200: UsageDetail },
      },
    },
    async ({ params }) => shownDetail(found(await store.call(findNamedUsage, params), 'request')),
  );
}

/** Part of the description of each route with such filters. */
export const SEVERAL = `A filter takes up to ${FILTER_VALUES_MAX} values, each as a parameter of its own: \`model=a&model=b\`.`;

/** The days are those of the buckets, the last of which may not be over yet. */
function summaryName({ organization, bucket, from, until }: SummaryQuery, now: number): string {
  const last = Math.min(startOf(bucket, until) - 1, now);
  return `usage-summary-${organization}-${dayOf(startOf(bucket, from))}-to-${dayOf(last)}`;
}

function dayOf(at: number): string {
  return isoInstant(at).slice(0, 10);
}

const TOO_WIDE =
  'There are too many groups for one response. Request a shorter span, a longer bucket, or only one key or model.';

function filterOf(organization: UsageFilter['organization'], query: UsageQuery): UsageFilter {
  const { after, limit, start, end, model, key, member, source, status, finish_reason, code } =
    query;
  return {
    organization,
    before: after ?? null,
    limit,
    from: start,
    until: end,
    model,
    key,
    member,
    source,
    status,
    finishReason: finish_reason,
    error: code,
  };
}
