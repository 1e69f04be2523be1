/** Routes for the links in emails: resetting a password, and confirming an address. */
import {
  Done,
  EmailConfirmation,
  EmailConfirmed,
  Reset,
  ResetRequest,
} from '../../../shared/api/people.ts';
import { formatUsd } from '../../../shared/money.ts';
import { type Api, Refused } from '../api.ts';
import { linkDigest } from '../mail/links.ts';
import type { ControlParts } from '../parts.ts';
import { presentedDigest } from '../sessions/mint.ts';
import { type WelcomeParts, welcomeOf } from '../welcome/grant.ts';
import {
  askForReset,
  confirmEmail,
  findConfirmation,
  findReset,
  resetPassword,
} from './account.ts';
import { checkNewPassword } from './passwords.ts';
import type { ReauthenticateParts } from './reauthenticate.ts';
import { addressBlock, refuseBlocked, throttled } from './throttle.ts';

export type LinkParts = ReauthenticateParts & WelcomeParts & Pick<ControlParts, 'urls'>;

export function linkRoutes(api: Api, parts: LinkParts): void {
  resetRoutes(api, parts);
  confirmRoute(api, parts);
}

function resetRoutes(api: Api, parts: LinkParts): void {
  const { store, pepper, clock, passwords } = parts;
  api.post(
    '/password-reset',
    {
      config: { access: 'public', action: 'person.ask-reset' },
      schema: {
        summary: 'Send an email with a link to set a new password',
        description: 'The response is the same whether or not somebody has the address.',
        tags: ['people'],
        body: ResetRequest,
        response: { 202: Done },
      },
    },
    async (request, reply) => {
      const { email } = request.body;
      const answer = await store.call(askForReset, {
        email,
        account: throttled(pepper, 'letter-account', email),
        address: throttled(pepper, 'letter-address', addressBlock(request.ip)),
        entry: request.auditEntry(),
      });
      if (answer !== 'done') return refuseBlocked(answer);
      return reply.code(202).send({ done: true as const });
    },
  );

  api.post(
    '/password-reset/confirm',
    {
      config: { access: 'public', action: 'person.reset-password' },
      schema: {
        summary: 'Set a new password with a link; all sessions end',
        tags: ['people'],
        body: Reset,
        response: { 200: Done },
      },
    },
    async (request) => {
      const { token, password } = request.body;
      const digest = await linkDigest(parts, token);
      const person = await store.call(findReset, { digest, now: clock.now() });
      if (!person) throw noLink();
      checkNewPassword(password, person);
      const { id, email } = person;
      const answer = await store.call(resetPassword, {
        digest,
        person: id,
        to: await passwords.hash(password),
        account: throttled(pepper, 'sign-in-account', email),
        entry: request.auditEntry({ actor: { kind: 'person', id }, target: id }),
        welcome: welcomeOf(parts, request, email),
      });
      if (answer === 'no_link') throw noLink();
      return { done: true as const };
    },
  );
}

function confirmRoute(api: Api, parts: LinkParts): void {
  const { store, clock } = parts;
  api.post(
    '/email-confirm',
    {
      config: { access: 'public', action: 'person.confirm-email' },
      schema: {
        summary: 'Confirm an address with a link; this grants the welcome credit of a sign-up',
        description:
          "The first proof of an account's address ends everything that was made in the account " +
          'before, unless the request comes with a session of the account. An email then lets ' +
          'the owner of the address set a password. A link that was used changes nothing more, ' +
          'and answers that the address is confirmed.',
        tags: ['people'],
        body: EmailConfirmation,
        response: { 200: EmailConfirmed },
      },
    },
    async (request) => {
      const digest = await linkDigest(parts, request.body.token);
      const found = await store.call(findConfirmation, { digest, now: clock.now() });
      if (found === null) throw noLink();
      if (found.confirmed) return confirmedBefore(found.email, found.confirmed);
      const welcome = welcomeOf(parts, request, found.email);
      const session = await presentedDigest(parts, request);
      const answer = await store.call(confirmEmail, {
        digest,
        session,
        entry: request.auditEntry(),
        welcome,
      });
      if (answer === 'no_link') {
        // The link may have been opened twice at once.
        const now = await store.call(findConfirmation, { digest, now: clock.now() });
        if (now?.confirmed) return confirmedBefore(now.email, now.confirmed);
        throw noLink();
      }
      if (answer === 'taken') {
        throw new Refused('conflict', 'Somebody else has started to use this address.');
      }
      return {
        done: true as const,
        email: found.email,
        confirmed: 'now' as const,
        password_cleared: answer.isStartedOver,
        welcome_credit: answer.isWelcomed ? formatUsd(parts.welcome.amount) : null,
      };
    },
  );
}

/**
 * The response to a link that has confirmed its address before. Without a password, the account has
 * been started over, and nobody has set a new one yet.
 */
function confirmedBefore(email: string, { hasPassword }: Readonly<{ hasPassword: boolean }>) {
  return {
    done: true as const,
    email,
    confirmed: 'before' as const,
    password_cleared: !hasPassword,
    welcome_credit: null,
  };
}

function noLink(): Refused {
  return new Refused(
    'invalid_value',
    'This link was used, has expired or is unknown. Request another one.',
    'token',
  );
}
