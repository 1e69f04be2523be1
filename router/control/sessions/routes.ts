/** Routes for signing in and out, and for a person's sessions. */
import { z } from 'zod';
import { SessionIdText } from '../../../shared/api/ids.ts';
import { pageQuery } from '../../../shared/api/pages.ts';
import { Done, Me, SessionEnded, SessionPage, SignIn } from '../../../shared/api/people.ts';
import { personOf } from '../access/gate.ts';
import { type Api, found, Refused } from '../api.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { findMe } from '../people/procedures.ts';
import { recoveryDigest, type SecondFactorParts, stepOf } from '../people/second-factor.ts';
import { shownMe, shownSession } from '../people/serialize.ts';
import { addressBlock, refuseBlocked, throttled } from '../people/throttle.ts';
import { giveCookie, mintSession, presentedDigest, type SessionParts, takeCookie } from './mint.ts';
import { endAllSessions, endSession, listSessions, signOut } from './procedures.ts';
import { beginSignIn, completeSignIn, forgiveSignIn } from './sign-in.ts';

export type SessionRouteParts = SessionParts &
  SecondFactorParts &
  Pick<ControlParts, 'store' | 'passwords' | 'welcome'>;

const SessionPath = z.object({ session: SessionIdText });

export function sessionRoutes(api: Api, parts: SessionRouteParts): void {
  signInRoute(api, parts);
  signOutRoutes(api, parts);
  listRoutes(api, parts);
}

function signInRoute(api: Api, parts: SessionRouteParts): void {
  const { store, pepper, passwords } = parts;

  api.post(
    '/sign-in',
    {
      config: { access: 'public', action: 'session.begin' },
      schema: {
        summary: 'Sign in; the response sets the session cookie',
        description:
          'Ends the session that the request is sent with. If there is a second factor and no ' +
          '`code`, the response to the right password is 401 `second_factor_required`. If an ' +
          'operator has locked the account, it is 403 `account_locked`. The response to a wrong ' +
          'password reveals neither.',
        tags: ['people'],
        body: SignIn,
        response: { 200: Me },
      },
    },
    async (request, reply) => {
      const { email, password, code } = request.body;
      const from = addressBlock(request.ip);
      const begun = await store.call(beginSignIn, {
        email,
        account: throttled(pepper, 'sign-in-account', email),
        accountFromHere: throttled(pepper, 'sign-in-account', `${email} ${from}`),
        address: throttled(pepper, 'sign-in-address', from),
        from,
        entry: request.auditEntry(),
      });
      if ('blocked' in begun) return refuseBlocked(begun);
      const { person, counted } = begun;
      const isRight = await passwords.verify(person?.password_hash ?? null, password);
      if (!isRight || !person) throw new Refused('invalid_credentials');
      // Only who knows the password learns that the account is locked.
      if (person.locked_at !== null) {
        await store.call(forgiveSignIn, counted);
        throw new Refused('account_locked');
      }
      const { id, totp_secret: sealed, totp_step } = person;
      if (totp_step !== null && code === undefined) {
        await store.call(forgiveSignIn, counted);
        throw new Refused('second_factor_required');
      }
      const proof =
        code === undefined
          ? null
          : {
              step: sealed === null ? null : stepOf(parts, { id, sealed }, code),
              recovery: await recoveryDigest(parts, id, code),
              codes: throttled(pepper, 'second-factor', id),
            };
      const { token, row, presented } = await mintSession(parts, request, id);
      const entry = request.auditEntry({ actor: { kind: 'person', id }, target: row.id });
      const session = { person, proof, session: row, presented, counted, entry };
      const answer = await store.call(completeSignIn, session);
      if (typeof answer === 'object') return refuseBlocked(answer);
      if (answer === 'wrong_code') {
        throw new Refused(
          'invalid_credentials',
          'This code is wrong, or it was used before.',
          'code',
        );
      }
      if (answer === 'locked') throw new Refused('account_locked');
      if (answer === 'changed') throw new Refused('invalid_credentials');
      giveCookie(reply, parts, token);
      return shownMe(parts, found(await store.call(findMe, id), 'person'));
    },
  );
}

function signOutRoutes(api: Api, parts: SessionRouteParts): void {
  const { store } = parts;

  api.post(
    '/sign-out',
    {
      // Public, so that somebody whose session has expired can sign out too.
      config: { access: 'public', action: 'session.end' },
      schema: {
        summary: 'Sign out; the session of the cookie ends',
        tags: ['people'],
        response: { 200: Done },
      },
    },
    async (request, reply) => {
      const presented = await presentedDigest(parts, request);
      if (presented !== null) await store.call(signOut, { presented, entry: request.auditEntry() });
      takeCookie(reply, parts);
      return { done: true as const };
    },
  );

  api.post(
    '/sign-out-everywhere',
    {
      config: { access: 'person', action: 'session.end-all' },
      schema: {
        summary: 'End all your sessions, including this one',
        tags: ['people'],
        response: { 200: Done },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      await store.call(endAllSessions, { person, entry: request.auditEntry({ target: person }) });
      takeCookie(reply, parts);
      return { done: true as const };
    },
  );
}

function listRoutes(api: Api, parts: SessionRouteParts): void {
  const { store, clock } = parts;

  api.get(
    '/sessions',
    {
      config: { access: 'person' },
      schema: {
        summary: 'List your sessions',
        tags: ['people'],
        querystring: pageQuery(SessionIdText),
        response: { 200: SessionPage },
      },
    },
    async (request) => {
      const { limit, after = null } = request.query;
      const wanted = { person: personOf(request), limit, after, now: clock.now() };
      const { caller } = request;
      const own = caller?.kind === 'person' ? caller.session.id : null;
      return answerPage(await store.call(listSessions, wanted), (row) => ({
        ...shownSession(row),
        current: row.id === own,
      }));
    },
  );

  api.delete(
    '/sessions/:session',
    {
      config: { access: 'person', action: 'session.end' },
      schema: {
        summary: 'End one of your sessions',
        tags: ['people'],
        params: SessionPath,
        response: { 200: SessionEnded },
      },
    },
    async (request) => {
      const { session } = request.params;
      const input = {
        person: personOf(request),
        session,
        entry: request.auditEntry({ target: session }),
      };
      if ((await store.call(endSession, input)) === 'unknown') found(null, 'session');
      return { id: session, deleted: true as const };
    },
  );
}
