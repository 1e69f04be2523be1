/** `/sign-in/passkey`: signs in with a passkey, which names its person itself. */
import { Me } from '../../../shared/api/people.ts';
import { PasskeyRequest, PasskeySignIn } from '../../../shared/api/passkeys.ts';
import { type Api, found, Refused } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import { findMe } from '../people/procedures.ts';
import { shownMe } from '../people/serialize.ts';
import { addressBlock, refuseBlocked, throttled } from '../people/throttle.ts';
import { giveCookie, mintSession, type SessionParts } from '../sessions/mint.ts';
import { CHALLENGE_MS, isChallengeOf, mintChallenge } from './challenges.ts';
import { requiredParty, userHandleOf } from './relying-party.ts';
import { beginPasskeySignIn, completePasskeySignIn } from './sign-in.ts';
import { challengeIn, verifySignature } from './verify.ts';

export type PasskeySignInParts = SessionParts & Pick<ControlParts, 'welcome'>;

const SIGN_IN = { kind: 'sign-in' } as const;

export function passkeySignInRoutes(api: Api, parts: PasskeySignInParts): void {
  const { store, pepper } = parts;

  api.get(
    '/sign-in/passkey',
    {
      config: { access: 'public' },
      schema: {
        summary: 'Begin to sign in with a passkey; the response is for `navigator.credentials.get`',
        description: 'The response is the same for everybody, except its challenge.',
        tags: ['people'],
        response: { 200: PasskeyRequest },
      },
    },
    async () => ({
      challenge: mintChallenge(parts, SIGN_IN),
      rpId: requiredParty(parts).id,
      timeout: CHALLENGE_MS,
      userVerification: 'required' as const,
      allowCredentials: [],
    }),
  );

  api.post(
    '/sign-in/passkey',
    {
      config: { access: 'public', action: 'session.begin', isAlternative: true },
      schema: {
        summary: 'Sign in with a passkey; the response sets the session cookie',
        description:
          'The body is what `navigator.credentials.get` has returned for the challenge. Ends the ' +
          'session that the request is sent with. No code of a second factor is asked for, because ' +
          'the authenticator verifies its user. If an operator has locked the account, the response ' +
          'is 403 `account_locked`. All other answers that are not accepted get the same response.',
        tags: ['people'],
        body: PasskeySignIn,
        response: { 200: Me },
      },
    },
    async (request, reply) => {
      const party = requiredParty(parts);
      const { body } = request;
      const from = addressBlock(request.ip);
      const counted = {
        account: throttled(pepper, 'sign-in-passkey', body.id),
        address: throttled(pepper, 'sign-in-address', from),
      };
      const entry = request.auditEntry();
      const begun = await store.call(beginPasskeySignIn, { credential: body.id, counted, entry });
      if ('blocked' in begun) return refuseBlocked(begun);
      const { passkey } = begun;
      const challenge = challengeIn(body);
      if (!passkey || body.userHandle !== userHandleOf(passkey.person)) {
        throw new Refused('invalid_passkey');
      }
      if (!isChallengeOf(parts, SIGN_IN, challenge)) throw new Refused('invalid_passkey');
      const counter = await verifySignature({ party, challenge }, body, passkey.public_key);
      if (counter === null) throw new Refused('invalid_passkey');
      const { id, person } = passkey;
      const { token, row, presented } = await mintSession(parts, request, person);
      const answer = await store.call(completePasskeySignIn, {
        passkey: id,
        person,
        counter,
        challenge,
        session: row,
        presented,
        counted,
        entry: request.auditEntry({
          actor: { kind: 'person', id: person },
          target: row.id,
          details: { passkey: id },
        }),
      });
      if (answer === 'locked') throw new Refused('account_locked');
      if (answer !== 'done') throw new Refused('invalid_passkey');
      giveCookie(reply, parts, token);
      return shownMe(parts, found(await store.call(findMe, person), 'person'));
    },
  );
}
