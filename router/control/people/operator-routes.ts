/** Routes by which operators see people, and create links for people whom no email reaches. */
import { z } from 'zod';
import { PersonIdText } from '../../../shared/api/ids.ts';
import { cursorOfSort } from '../../../shared/api/pages.ts';
import {
  Done,
  NewPersonLink,
  PeopleQuery,
  PersonDetail,
  type PersonEntry,
  PersonLink,
  PersonPage,
} from '../../../shared/api/people.ts';
import { type Api, found, isoInstant, Refused } from '../api.ts';
import { type Columns, CSV_ROWS, itemsFrom, sendPages } from '../csv-file.ts';
import { inJsonOrCsv } from '../json-or-csv.ts';
import { LINKS, type MintLinkParts, mintLink } from '../mail/links.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { findPersonDetail } from './detail.ts';
import { listPeople, type PeopleQuery as Listing, type PersonPlace } from './list.ts';
import { insertLinkFor } from './procedures.ts';
import { shownPersonDetail, shownPersonEntry } from './serialize.ts';
import { removeTotp } from './totp.ts';

export type OperatorPeopleParts = MintLinkParts & Pick<ControlParts, 'store' | 'clock'>;

const PersonPath = z.object({ person: PersonIdText });

export function operatorPeopleRoutes(api: Api, parts: OperatorPeopleParts): void {
  listRoute(api, parts);
  const { store, clock } = parts;

  api.get(
    '/people/:person',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'Get a person, with their organizations and open sessions',
        tags: ['people'],
        params: PersonPath,
        response: { 200: PersonDetail },
      },
    },
    async ({ params: { person } }) => {
      const detail = await store.call(findPersonDetail, { person, now: clock.now() });
      return shownPersonDetail(found(detail, 'person'));
    },
  );

  api.post(
    '/people/links',
    {
      config: { access: 'operator', action: 'person.make-link' },
      schema: {
        summary: 'Create a link for a person whom no email reaches; only this response contains it',
        tags: ['people'],
        body: NewPersonLink,
        response: { 201: PersonLink },
      },
    },
    async (request, reply) => {
      const { email, purpose } = request.body;
      const { url, digest } = mintLink(parts, purpose);
      const expires = clock.now() + (LINKS[purpose].lastsMs ?? 0);
      const input = { email, digest, purpose, expires, entry: request.auditEntry() };
      const person = found(await store.call(insertLinkFor, input), 'person');
      return reply.code(201).send({ person, purpose, url, expires: isoInstant(expires) });
    },
  );

  api.delete(
    '/people/:person/totp',
    {
      config: { access: 'operator', action: 'second-factor.lift' },
      schema: {
        summary: 'Remove the second factor of a person who has lost it, with its recovery codes',
        description:
          'Afterwards, the password alone is enough to sign in. The person is notified by email. ' +
          'The operator must verify that the request really comes from the person.',
        tags: ['people'],
        params: PersonPath,
        response: { 200: Done },
      },
    },
    async (request) => {
      const { person } = request.params;
      const entry = request.auditEntry({ target: person });
      if ((await store.call(removeTotp, { person, entry })) === 'none') {
        throw new Refused('not_found', 'There is no such person, or they have no second factor.');
      }
      return { done: true as const };
    },
  );
}

/** Lists people, or sends all that match as a CSV. */
function listRoute(api: Api, { store }: OperatorPeopleParts): void {
  api.get(
    '/people',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'List people',
        description: 'The CSV has all that match from `after` on.',
        tags: ['people'],
        querystring: PeopleQuery,
        response: { 200: inJsonOrCsv(PersonPage) },
      },
    },
    async ({ query }, reply) => {
      const listing = listingOf(query);
      if (query.format === 'json') {
        const { rows, next } = await store.call(listPeople, listing);
        return answerPage({ rows, next: next && cursorOf(query, next) }, shownPersonEntry);
      }
      const read = (after: PersonPlace | null) =>
        store.call(listPeople, { ...listing, after, limit: CSV_ROWS });
      return sendPages(
        reply,
        'people',
        CSV_COLUMNS,
        itemsFrom(listing.after, read, shownPersonEntry),
      );
    },
  );
}

function listingOf(query: PeopleQuery): Listing {
  const { search, status = null, operator, second_factor: factor, after } = query;
  const { sort, order, limit } = query;
  return {
    search: search === '' ? null : search,
    status,
    operator: operator === undefined ? null : operator === 'yes',
    secondFactor: factor === undefined ? null : factor === 'on',
    sort,
    order,
    after: after?.place ?? null,
    limit,
  };
}

function cursorOf(query: PeopleQuery, { lastSignIn, id }: PersonPlace): string {
  return cursorOfSort(query, lastSignIn === null ? id : `${lastSignIn}_${id}`);
}

const CSV_COLUMNS: Columns<PersonEntry> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  email: ({ email }) => email,
  status: ({ locked_at: locked, email_confirmed: isConfirmed }) => {
    if (locked) return 'locked';
    return isConfirmed ? 'active' : 'unconfirmed';
  },
  operator: ({ operator }) => (operator ? 'yes' : 'no'),
  second_factor: ({ second_factor: isOn }) => (isOn ? 'on' : 'off'),
  organizations: ({ organization_count: count }) => count,
  last_sign_in: ({ last_sign_in: at }) => at,
  locked_at: ({ locked_at: at }) => at ?? null,
  created: ({ created }) => created,
};
