import { Me, SignUp } from '../../../shared/api/people.ts';
import { mintId } from '../../../shared/ids.ts';
import type { RefusalCode } from '../../../shared/refusals.ts';
import { newOrganization } from '../../identity/organizations.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { PersonRow } from '../../store/schema/people.ts';
import { type Api, found, Refused } from '../api.ts';
import { linkDigest } from '../mail/links.ts';
import type { ControlParts } from '../parts.ts';
import { giveCookie, mintSession, type SessionParts } from '../sessions/mint.ts';
import { networkDigest } from '../welcome/address.ts';
import { checkNewPassword } from './passwords.ts';
import { findMe } from './procedures.ts';
import { shownMe } from './serialize.ts';
import { countSignUp, signUp } from './sign-up.ts';
import { addressBlock, refuseBlocked, throttled } from './throttle.ts';

export type SignUpParts = SessionParts &
  Pick<ControlParts, 'store' | 'passwords' | 'signUp' | 'welcome'>;

const NAME_CHARS_MAX = 100;

/**
 * The response reveals whether an address already has an account. This cannot be hidden, because a
 * sign-up signs the person in at once. Attempts from one network address are limited to a few a
 * day, which bounds what can be learnt.
 */
export function signUpRoute(api: Api, parts: SignUpParts): void {
  const { store, pepper, clock, random, passwords } = parts;

  api.post(
    '/sign-up',
    {
      config: { access: 'public', action: 'person.sign-up' },
      schema: {
        summary: 'Sign up: create a person with an organization, and sign them in',
        description:
          'An email asks the person to confirm the address. The confirmation grants the welcome ' +
          'credit, once for each address. With `invitation`, the person joins the organization ' +
          'of the invitation instead, and gets no credit. If the link of the invitation was sent ' +
          'to the same address by email, the address is already confirmed.',
        tags: ['people'],
        body: SignUp,
        response: { 201: Me },
      },
    },
    async (request, reply) => {
      const { email, password, name, organization, invitation } = request.body;
      if (invitation === undefined && parts.signUp === 'invited') {
        throw new Refused('forbidden', 'Sign-up is by invitation only.');
      }
      checkNewPassword(password, { email, name });
      const address = throttled(pepper, 'sign-up-address', addressBlock(request.ip));
      const blocked = await store.call(countSignUp, { address, now: clock.now() });
      if (blocked) return refuseBlocked(blocked);
      const created = milliseconds(clock.now());
      const person: PersonRow = {
        id: mintId('person', clock, random),
        email,
        name,
        password_hash: await passwords.hash(password),
        operator: 0n,
        operator_role: null,
        operator_since: null,
        created,
        email_confirmed: null,
        totp_secret: null,
        totp_step: null,
        muted_emails: null,
        incident_emails: null,
        locked_at: null,
        last_sign_in: created,
        erased: null,
      };
      const { id } = person;
      const named = organization ?? `${name}'s organization`.slice(0, NAME_CHARS_MAX);
      const { token, row, presented } = await mintSession(parts, request, id);
      const answer = await store.call(signUp, {
        person,
        member: mintId('member', clock, random),
        joins:
          invitation === undefined
            ? newOrganization(parts, { name: named, region: 'global', welcome: 0n })
            : await linkDigest(parts, invitation),
        session: row,
        presented,
        network: networkDigest(pepper, request.ip),
        entry: request.auditEntry({ actor: { kind: 'person', id }, target: id }),
      });
      if (answer !== 'done') throw new Refused(...REFUSED[answer]);
      giveCookie(reply, parts, token);
      const me = shownMe(parts, found(await store.call(findMe, id), 'person'));
      return reply.code(201).send(me);
    },
  );
}

const REFUSED: Readonly<
  Record<'taken' | 'no_invitation' | 'full', [code: RefusalCode, message: string, param: string]>
> = {
  taken: ['conflict', 'Somebody has signed up with this address: sign in instead.', 'email'],
  no_invitation: [
    'invalid_value',
    'This invitation was used or revoked, or it has expired. Ask for another one.',
    'invitation',
  ],
  full: ['conflict', 'The organization has reached its limit of members.', 'invitation'],
};
