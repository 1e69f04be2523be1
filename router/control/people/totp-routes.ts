/** `/me/totp`: sets up, confirms and removes a second factor. */
import {
  Done,
  PasswordProof,
  RecoveryCodes,
  TotpConfirmation,
  TotpSecret,
} from '../../../shared/api/people.ts';
import { personOf } from '../access/gate.ts';
import { type Api, found, Refused } from '../api.ts';
import { findPerson } from './procedures.ts';
import { type ReauthenticateParts, reauthenticate } from './reauthenticate.ts';
import { mintRecoveryCodes, mintTotp, type SecondFactorParts, stepOf } from './second-factor.ts';
import { refuseBlocked, throttled } from './throttle.ts';
import { beginTotp, confirmTotp, removeTotp } from './totp.ts';

export type TotpParts = ReauthenticateParts & SecondFactorParts;

export function totpRoutes(api: Api, parts: TotpParts): void {
  const { store } = parts;
  confirmTotpRoute(api, parts);

  api.post(
    '/me/totp',
    {
      config: { access: 'person', action: 'second-factor.begin' },
      schema: {
        summary: 'Begin to set up a second factor; only this response contains its secret',
        description:
          'Signing in requires a code once the first code has been confirmed. The request ' +
          'requires the password, so that nobody who finds an open session can lock its owner ' +
          'out.',
        tags: ['people'],
        body: PasswordProof,
        response: { 201: TotpSecret },
      },
    },
    async (request, reply) => {
      const person = await reauthenticate(parts, request, request.body.password);
      const { secret, uri, sealed } = mintTotp(parts, person);
      const input = { person: person.id, sealed, entry: request.auditEntry({ target: person.id }) };
      if ((await store.call(beginTotp, input)) === 'on') {
        throw new Refused(
          'conflict',
          'You already have a second factor: remove it before you set up another one.',
        );
      }
      return reply.code(201).send({ secret, uri });
    },
  );

  api.delete(
    '/me/totp',
    {
      config: { access: 'person', action: 'second-factor.remove' },
      schema: {
        summary: 'Remove the second factor, and its recovery codes',
        tags: ['people'],
        body: PasswordProof,
        response: { 200: Done },
      },
    },
    async (request) => {
      const { id } = await reauthenticate(parts, request, request.body.password);
      await store.call(removeTotp, { person: id, entry: request.auditEntry({ target: id }) });
      return { done: true as const };
    },
  );
}

function confirmTotpRoute(api: Api, parts: TotpParts): void {
  const { store, pepper } = parts;

  api.post(
    '/me/totp/confirm',
    {
      config: { access: 'person', action: 'second-factor.confirm' },
      schema: {
        summary:
          'Confirm the second factor with its first code; only this response contains the ' +
          'recovery codes',
        tags: ['people'],
        body: TotpConfirmation,
        response: { 200: RecoveryCodes },
      },
    },
    async (request) => {
      const person = found(await store.call(findPerson, personOf(request)), 'person');
      const { id, totp_secret: sealed } = person;
      const { codes, digests } = mintRecoveryCodes(parts, id);
      const answer = await store.call(confirmTotp, {
        person: id,
        sealed,
        step: sealed === null ? null : stepOf(parts, { id, sealed }, request.body.code),
        codes: throttled(pepper, 'second-factor', id),
        recovery: digests,
        entry: request.auditEntry({ target: id }),
      });
      if (typeof answer === 'object') return refuseBlocked(answer);
      if (answer === 'none') throw new Refused('conflict', 'There is no second factor to confirm.');
      if (answer === 'wrong_code') {
        throw new Refused(
          'invalid_value',
          'This is not the current code. Enter the code that your authenticator app shows now.',
          'code',
        );
      }
      return { recovery_codes: codes };
    },
  );
}
