/** Routes by which operators see people, and create links for people whom no email reaches. */
import { z } from 'zod';
import { PRINTED, PRINTED_FAULT } from '../../../shared/api/fields.ts';
import { PersonIdText } from '../../../shared/api/ids.ts';
import { pageQuery } from '../../../shared/api/pages.ts';
import {
  Done,
  NewPersonLink,
  PersonDetail,
  PersonLink,
  PersonPage,
} from '../../../shared/api/people.ts';
import { type Api, found, isoInstant, Refused } from '../api.ts';
import { LINKS, type MintLinkParts, mintLink } from '../mail/links.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { findPersonDetail } from './detail.ts';
import { listPeople } from './list.ts';
import { insertLinkFor } from './procedures.ts';
import { shownPersonDetail, shownPersonEntry } from './serialize.ts';
import { removeTotp } from './totp.ts';

export type OperatorPeopleParts = MintLinkParts & Pick<ControlParts, 'store' | 'clock'>;

const SEARCH_CHARS_MAX = 100;
const PersonPath = z.object({ person: PersonIdText });

export function operatorPeopleRoutes(api: Api, parts: OperatorPeopleParts): void {
  const { store, clock } = parts;

  api.get(
    '/people',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'All people, or those with the id `search`, or whose name or address contains it',
        tags: ['people'],
        querystring: pageQuery(PersonIdText).extend({
          search: z.string().trim().max(SEARCH_CHARS_MAX).regex(PRINTED, PRINTED_FAULT).default(''),
        }),
        response: { 200: PersonPage },
      },
    },
    async ({ query: { search, limit, after = null } }) =>
      answerPage(await store.call(listPeople, { search, limit, after }), shownPersonEntry),
  );

  api.get(
    '/people/:person',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'One person, with their organizations and open sessions',
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
