/** `/me`: the signed-in person, and what they change about themselves. */
import { Done, EmailChange, Me, MeChange, PasswordChange } from '../../../shared/api/people.ts';
import { personOf } from '../access/gate.ts';
import { type Api, found, noSuch, Refused } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import { askForConfirmation, askForEmail, changePassword } from './account.ts';
import { checkNewPassword } from './passwords.ts';
import { changePerson, findMe } from './procedures.ts';
import { type ReauthenticateParts, reauthenticate } from './reauthenticate.ts';
import { shownMe } from './serialize.ts';
import { refuseBlocked, throttled } from './throttle.ts';

type MeParts = ReauthenticateParts & Pick<ControlParts, 'welcome'>;

export function meRoutes(api: Api, parts: MeParts): void {
  nameRoutes(api, parts);
  passwordRoute(api, parts);
  emailRoute(api, parts);
}

function nameRoutes(api: Api, parts: MeParts): void {
  const { store } = parts;

  api.get(
    '/me',
    {
      config: { access: 'person' },
      schema: {
        summary: 'Get your account, and the organizations you belong to',
        tags: ['people'],
        response: { 200: Me },
      },
    },
    async (request) => shownMe(parts, found(await store.call(findMe, personOf(request)), 'person')),
  );

  api.patch(
    '/me',
    {
      config: { access: 'person', action: 'person.change' },
      schema: {
        summary: 'Change your name, or which emails you get',
        tags: ['people'],
        body: MeChange,
        response: { 200: Me },
      },
    },
    async (request) => {
      const person = personOf(request);
      const { body: change } = request;
      const { muted_emails: muted, incident_emails: incidents } = change;
      const entry = request.auditEntry({
        target: person,
        details: {
          ...(change.name !== undefined && { renamed: true }),
          ...(muted !== undefined && { muted_emails: muted.join(', ') || null }),
          ...(incidents !== undefined && { incident_emails: incidents }),
        },
      });
      await store.call(changePerson, { person, change, entry });
      return shownMe(parts, found(await store.call(findMe, person), 'person'));
    },
  );
}

function passwordRoute(api: Api, parts: ReauthenticateParts): void {
  const { store, passwords } = parts;

  api.post(
    '/me/password',
    {
      config: { access: 'person', action: 'person.change-password' },
      schema: {
        summary: 'Change your password; your other sessions end',
        tags: ['people'],
        body: PasswordChange,
        response: { 200: Done },
      },
    },
    async (request) => {
      const { current, password } = request.body;
      const person = await reauthenticate(parts, request, current, 'current');
      checkNewPassword(password, person);
      const { caller } = request;
      const answer = await store.call(changePassword, {
        person: person.id,
        from: person.password_hash,
        to: await passwords.hash(password),
        session: caller?.kind === 'person' ? caller.session.id : null,
        entry: request.auditEntry({ target: person.id }),
      });
      if (answer === 'changed') throw new Refused('conflict', 'The password was just changed.');
      return { done: true as const };
    },
  );
}

function emailRoute(api: Api, parts: ReauthenticateParts): void {
  const { store, pepper } = parts;

  api.post(
    '/me/email',
    {
      config: { access: 'person', action: 'person.change-email' },
      schema: {
        summary: 'Change your email address',
        description:
          'An email is sent to the address. It becomes yours when its link is opened, and the ' +
          'former address is notified.',
        tags: ['people'],
        body: EmailChange,
        response: { 202: Done },
      },
    },
    async (request, reply) => {
      const { email, password } = request.body;
      const { id } = await reauthenticate(parts, request, password);
      const answer = await store.call(askForEmail, {
        person: id,
        email,
        letters: throttled(pepper, 'letter-account', id),
        entry: request.auditEntry({ target: id }),
      });
      if (answer !== 'done') return refuseBlocked(answer);
      return reply.code(202).send({ done: true as const });
    },
  );

  api.post(
    '/me/email/confirmation',
    {
      config: { access: 'person', action: 'person.resend-confirmation' },
      schema: {
        summary: 'Request another link that confirms your email address',
        description: 'It is sent to the address of your account, so no password is asked.',
        tags: ['people'],
        response: { 202: Done },
      },
    },
    async (request, reply) => {
      const id = personOf(request);
      const answer = await store.call(askForConfirmation, {
        person: id,
        letters: throttled(pepper, 'confirmation-account', id),
        entry: request.auditEntry({ target: id }),
      });
      if (answer === 'unknown') throw noSuch('person');
      if (answer === 'confirmed') {
        throw new Refused('conflict', 'Your email address is already confirmed.');
      }
      if (answer !== 'done') return refuseBlocked(answer);
      return reply.code(202).send({ done: true as const });
    },
  );
}
