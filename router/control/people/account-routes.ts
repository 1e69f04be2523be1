/** Routes by which operators end the sessions of people, and lock and unlock their accounts. */
import { z } from 'zod';
import { PersonIdText, SessionIdText } from '../../../shared/api/ids.ts';
import { AccountLock, Done, Person, SessionEnded } from '../../../shared/api/people.ts';
import type { PersonId } from '../../../shared/ids.ts';
import { noLongerAdministrator, personOf } from '../access/gate.ts';
import { type Api, found, noSuch, Refused } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import { endPlayground } from '../playground/procedures.ts';
import { endAllSessions, endSession } from '../sessions/procedures.ts';
import { findPlaygroundsOf, lockAccountOf, unlockAccountOf } from './account-lock.ts';
import { findListedPerson } from './procedures.ts';
import { shownPerson } from './serialize.ts';

type AccountParts = Pick<ControlParts, 'store'>;

const PersonPath = z.object({ person: PersonIdText });
const SessionPath = PersonPath.extend({ session: SessionIdText });

export function operatorAccountRoutes(api: Api, parts: AccountParts): void {
  sessionRoutes(api, parts);
  lockRoutes(api, parts);
}

function sessionRoutes(api: Api, parts: AccountParts): void {
  const { store } = parts;
  api.delete(
    '/people/:person/sessions/:session',
    {
      config: { access: 'operator', action: 'person.end-session' },
      schema: {
        summary: 'End one session of a person',
        tags: ['people'],
        params: SessionPath,
        response: { 200: SessionEnded },
      },
    },
    async (request) => {
      const { person, session } = request.params;
      const entry = request.auditEntry({ target: person, details: { session } });
      const answer = await store.call(endSession, { person, session, entry });
      if (answer === 'unknown') throw noSuch('session');
      return { id: session, deleted: true as const };
    },
  );

  api.delete(
    '/people/:person/sessions',
    {
      config: { access: 'operator', action: 'person.end-sessions' },
      schema: {
        summary: 'End all sessions of a person, and their playground keys',
        description: 'The person can sign in again.',
        tags: ['people'],
        params: PersonPath,
        response: { 200: Done },
      },
    },
    async (request) => {
      const { person } = request.params;
      const entry = request.auditEntry({ target: person });
      const answer = await store.call(endAllSessions, { person, entry });
      if (answer === 'unknown') throw noSuch('person');
      await endPlaygroundsOf(parts, person);
      return { done: true as const };
    },
  );
}

function lockRoutes(api: Api, parts: AccountParts): void {
  const { store } = parts;
  api.post(
    '/people/:person/lock',
    {
      config: { access: 'operator', action: 'person.lock' },
      schema: {
        summary: 'Lock the account of a person, who then cannot sign in',
        description:
          'Their sessions, their playground keys and the links that were sent to them end at once, ' +
          'and their operator token is refused while the account is locked. The API keys and ' +
          'management tokens of organizations are not touched. Nobody can lock their own account, ' +
          'so at least one administrator is never locked.',
        tags: ['people'],
        params: PersonPath,
        body: AccountLock,
        response: { 200: Person },
      },
    },
    async (request) => {
      const { person } = request.params;
      const by = personOf(request);
      const entry = request.auditEntry({
        target: person,
        reason: request.body?.reason ?? null,
      });
      const answer = await store.call(lockAccountOf, { person, by, entry });
      if (answer === 'unknown') throw noSuch('person');
      if (answer === 'own') throw new Refused('conflict', 'You cannot lock your own account.');
      if (answer === 'locked_out') throw noLongerAdministrator();
      // Also when it was locked before: then a router may have failed before it came to them.
      await endPlaygroundsOf(parts, person);
      if (answer === 'same') throw new Refused('conflict', 'This account is already locked.');
      return await shownNow(parts, person);
    },
  );

  api.post(
    '/people/:person/unlock',
    {
      config: { access: 'operator', action: 'person.unlock' },
      schema: {
        summary: 'Unlock the account of a person, who can sign in again',
        description: 'Their former sessions and links do not come back.',
        tags: ['people'],
        params: PersonPath,
        body: AccountLock,
        response: { 200: Person },
      },
    },
    async (request) => {
      const { person } = request.params;
      const entry = request.auditEntry({
        target: person,
        reason: request.body?.reason ?? null,
      });
      const by = personOf(request);
      const answer = await store.call(unlockAccountOf, { person, by, entry });
      if (answer === 'locked_out') throw noLongerAdministrator();
      if (answer === 'unknown') throw noSuch('person');
      if (answer === 'same') throw new Refused('conflict', 'This account is not locked.');
      return await shownNow(parts, person);
    },
  );
}

async function shownNow({ store }: AccountParts, person: PersonId): Promise<Person> {
  return shownPerson(found(await store.call(findListedPerson, person), 'person'));
}

/** A procedure announces the change of one organization, so each is ended by itself. */
async function endPlaygroundsOf({ store }: AccountParts, person: PersonId): Promise<void> {
  for (const organization of await store.call(findPlaygroundsOf, person)) {
    await store.call(endPlayground, { organization, person });
  }
}
