/** Requests that were admitted and requests that were refused, in one file. */
import type { RefusalEntry } from '../../../shared/api/refusals.ts';
import { RequestsCsvQuery } from '../../../shared/api/requests.ts';
import { REQUESTS_CSV_ROWS_MAX } from '../../../shared/bounds/requests-csv.ts';
import type { OrganizationId, RequestId } from '../../../shared/ids.ts';
import { REFUSALS, type RefusalCode } from '../../../shared/refusals.ts';
import { type ListStatuses, statusesOf } from '../../../shared/request-statuses.ts';
import type { UsageFilter } from '../../usage/listings.ts';
import type { RefusalFilter } from '../../usage/refusals/listings.ts';
import { type Api, found } from '../api.ts';
import { CSV_ROWS, sendPages } from '../csv-file.ts';
import { inCsv } from '../json-or-csv.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import type { Page } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { listNamedRefusals, type NamedRefusal } from '../refusals/procedures.ts';
import { shownRefusal } from '../refusals/serialize.ts';
import { codesOf } from '../refusals/span.ts';
import { look, pagesFrom } from '../usage/look.ts';
import { SEVERAL } from '../usage/routes.ts';
import { CSV_COLUMNS } from './csv.ts';
import { mergedPages } from './rows.ts';

type Parts = Pick<ControlParts, 'store'>;

export function requestRoutes(api: Api, { store }: Parts): void {
  api.get(
    '/organizations/:organization/requests/csv',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'Export requests, admitted and refused, as one CSV, the latest to end first',
        description:
          `It has at most the latest ${REQUESTS_CSV_ROWS_MAX.toLocaleString('en')} requests. When ` +
          'many requests are refused, only a sample of them is kept. Refused requests have no ' +
          `member and no source, so a filter by these leaves them out. ${SEVERAL}`,
        tags: ['usage'],
        params: OrganizationPath,
        querystring: RequestsCsvQuery,
        response: { 200: inCsv },
      },
    },
    async ({ params: { organization }, query }, reply) => {
      const statuses = statusesOf(query.status ?? []);
      const usage = usageFilter(organization, query, statuses);
      // Also shows that there is such an organization.
      const first = found(await look(store, usage ?? nothing(organization)), 'organization');
      const rows = mergedPages(
        usage === null ? none() : pagesFrom(store, usage, first),
        refusalPages(store, refusalFilter(organization, query, statuses)),
        REQUESTS_CSV_ROWS_MAX,
      );
      return sendPages(reply, 'requests', CSV_COLUMNS, rows);
    },
  );
}

/** Null: no admitted request matches the query. */
function usageFilter(
  organization: OrganizationId,
  { start, end, model, key, member, source, code }: RequestsCsvQuery,
  { admitted }: ListStatuses,
): UsageFilter | null {
  if (admitted === null) return null;
  return {
    organization,
    before: null,
    limit: CSV_ROWS,
    from: start,
    until: end,
    model,
    key,
    member,
    source,
    error: code,
    status: admitted.length === 0 ? undefined : admitted,
  };
}

/** The filter of a list without rows. */
function nothing(organization: OrganizationId): UsageFilter {
  return { organization, before: 0n, limit: 1 };
}

/** Null: no refused request matches the query. */
function refusalFilter(
  organization: OrganizationId,
  { start, end, model, key, member, source, code }: RequestsCsvQuery,
  { refused }: ListStatuses,
): Omit<RefusalFilter, 'before'> | null {
  if (refused === null || member !== undefined || source !== undefined) return null;
  const codes = codesOf({
    code: code?.filter((one): one is RefusalCode => Object.hasOwn(REFUSALS, one)),
    status: refused.length === 0 ? undefined : [...refused],
  });
  return { organization, limit: CSV_ROWS, from: start, until: end, key, model, codes };
}

type RefusalList = Page<NamedRefusal, RequestId> | null;

async function* refusalPages(
  store: Parts['store'],
  filter: Omit<RefusalFilter, 'before'> | null,
): AsyncGenerator<RefusalEntry[]> {
  if (filter === null) return;
  let before: RefusalFilter['before'] = null;
  do {
    const page: RefusalList = await store.call(listNamedRefusals, { ...filter, before });
    if (page === null) return;
    yield page.rows.map(shownRefusal);
    before = page.next;
  } while (before !== null);
}

async function* none(): AsyncGenerator<never[]> {}
