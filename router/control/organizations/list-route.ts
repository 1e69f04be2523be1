/** The list of all organizations, for operators, in pages or as a CSV. */
import {
  type OrganizationEntry,
  OrganizationPage,
  OrganizationQuery,
} from '../../../shared/api/organizations.ts';
import { cursorOfSort } from '../../../shared/api/pages.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import type { Api } from '../api.ts';
import { type Columns, CSV_ROWS, itemsFrom, sendPages } from '../csv-file.ts';
import { inJsonOrCsv } from '../json-or-csv.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import {
  type OrganizationEntry as Listed,
  listOrganizations,
  type OrganizationPlace,
  type OrganizationsQuery,
} from './list.ts';
import { shownEntry } from './serialize.ts';

type ListParts = Pick<ControlParts, 'store' | 'clock' | 'urls' | 'defaultLimits'>;

export function listRoute(api: Api, parts: ListParts): void {
  const { store, clock } = parts;
  api.get(
    '/organizations',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'List organizations, including deleted ones',
        description:
          'Newest first, unless `sort` and `order` say otherwise. The CSV has all that match from ' +
          '`after` on, and is always sorted by creation.',
        tags: ['organizations'],
        querystring: OrganizationQuery,
        response: { 200: inJsonOrCsv(OrganizationPage) },
      },
    },
    async ({ query }, reply) => {
      const listing = listingOf(query, Math.floor(clock.now() / DAY_MS));
      const shownRow = (row: Listed) => shownEntry(parts, row);
      if (query.format === 'json') {
        const { rows, next } = await store.call(listOrganizations, listing);
        const cursor = next && cursorOfSort(query, `${next.value}_${next.id}`);
        return answerPage({ rows, next: cursor }, shownRow);
      }
      // Each page of another order would look at all organizations again.
      const whole = { ...listing, sort: 'created', limit: CSV_ROWS } as const;
      const read = (after: OrganizationPlace | null) =>
        store.call(listOrganizations, { ...whole, after });
      return sendPages(
        reply,
        'organizations',
        CSV_COLUMNS,
        itemsFrom(listing.after, read, shownRow),
      );
    },
  );
}

function listingOf(query: OrganizationQuery, today: number): OrganizationsQuery {
  const { search = null, status = null, region = null, billing = null, credit = null } = query;
  const { sort, order, limit } = query;
  const after = query.after?.place ?? null;
  return { search, status, region, billing, credit, sort, order, after, limit, today };
}

const CSV_COLUMNS: Columns<OrganizationEntry> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  status: ({ deleted, status }) => (deleted === null ? status : 'deleted'),
  region: ({ region }) => region,
  billing: ({ billing }) => billing.type,
  members: ({ members }) => members,
  balance: ({ balance }) => balance,
  spend_30_days: ({ spend_30_days: spend }) => spend,
  last_request: ({ last_request: at }) => at,
  created: ({ created }) => created,
};
