/** `/me/passkeys`: adds, lists, renames and removes a person's passkeys. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { PasskeyIdText } from '../../../shared/api/ids.ts';
import { pageQuery } from '../../../shared/api/pages.ts';
import {
  NewPasskey,
  Passkey,
  PasskeyChange,
  PasskeyCreation,
  PasskeyPage,
  PasskeyRemoved,
} from '../../../shared/api/passkeys.ts';
import { PasswordProof } from '../../../shared/api/people.ts';
import { PASSKEYS_MAX } from '../../../shared/bounds/passkeys.ts';
import { mintId } from '../../../shared/ids.ts';
import { SERVICE_NAME } from '../../../shared/service-name.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { PersonRow } from '../../store/schema/people.ts';
import { personOf } from '../access/gate.ts';
import { type Api, found, instantOrNull, isoInstant, noSuch, Refused } from '../api.ts';
import { recordAuditEntry } from '../audit/record.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { findPerson } from '../people/procedures.ts';
import { type ReauthenticateParts, reauthenticate } from '../people/reauthenticate.ts';
import {
  type Attempt,
  CHALLENGE_MS,
  type ChallengeParts,
  isChallengeOf,
  mintChallenge,
} from './challenges.ts';
import {
  addPasskey,
  findCredentials,
  type ListedPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from './procedures.ts';
import { type RelyingParty, requiredParty, userHandleOf } from './relying-party.ts';
import { ALGORITHMS, challengeIn, verifyCreation } from './verify.ts';

export type PasskeyParts = ReauthenticateParts & ChallengeParts & Pick<ControlParts, 'urls'>;

const PasskeyPath = z.object({ passkey: PasskeyIdText });
const PUBLIC_KEY = 'public-key';

export function passkeyRoutes(api: Api, parts: PasskeyParts): void {
  beginRoute(api, parts);
  addRoute(api, parts);
  listRoute(api, parts);
  renameRoute(api, parts);
  removeRoute(api, parts);
}

function beginRoute(api: Api, parts: PasskeyParts): void {
  api.post(
    '/me/passkeys/challenge',
    {
      config: { access: 'person', action: 'passkey.begin' },
      schema: {
        summary: 'Begin to add a passkey; the response is for `navigator.credentials.create`',
        description:
          'The request requires the password, so that nobody who finds an open session can add a ' +
          `passkey of their own. A person has at most ${PASSKEYS_MAX} passkeys.`,
        tags: ['people'],
        body: PasswordProof,
        response: { 200: PasskeyCreation },
      },
    },
    async (request) => {
      const party = requiredParty(parts);
      const person = await reauthenticate(parts, request, request.body.password);
      if (person.email_confirmed === null) throw unproven();
      const credentials = await parts.store.call(findCredentials, person.id);
      if (credentials.length >= PASSKEYS_MAX) throw full();
      const challenge = mintChallenge(parts, addingOf(request, person));
      await parts.store.call(recordAuditEntry, request.auditEntry({ target: person.id }));
      return creationOf(party, person, { challenge, credentials });
    },
  );
}

function creationOf(
  party: RelyingParty,
  { id, email, name }: PersonRow,
  { challenge, credentials }: Readonly<{ challenge: string; credentials: readonly string[] }>,
): PasskeyCreation {
  return {
    challenge,
    rp: { id: party.id, name: SERVICE_NAME },
    user: { id: userHandleOf(id), name: email, displayName: name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: PUBLIC_KEY, alg })),
    timeout: CHALLENGE_MS,
    excludeCredentials: credentials.map((credential) => ({ type: PUBLIC_KEY, id: credential })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  };
}

function addRoute(api: Api, parts: PasskeyParts): void {
  const { store, clock, random } = parts;
  api.post(
    '/me/passkeys',
    {
      config: { access: 'person', action: 'passkey.add' },
      schema: {
        summary: 'Add a passkey, with which you sign in without your password',
        description:
          'The credential is what `navigator.credentials.create` has returned for the challenge. ' +
          'An email tells you that a passkey was added.',
        tags: ['people'],
        body: NewPasskey,
        response: { 201: Passkey },
      },
    },
    async (request, reply) => {
      const party = requiredParty(parts);
      const { name, credential } = request.body;
      const challenge = challengeIn(credential);
      const owner = found(await store.call(findPerson, personOf(request)), 'person');
      if (!isChallengeOf(parts, addingOf(request, owner), challenge)) throw notVerified();
      const verified = await verifyCreation({ party, challenge }, credential);
      if (!verified) throw notVerified();
      const { id: person, password_hash: passwordHash } = owner;
      const passkey = {
        id: mintId('passkey', clock, random),
        person,
        credential: verified.credential,
        public_key: verified.publicKey,
        counter: BigInt(verified.counter),
        name,
        created: milliseconds(clock.now()),
        last_used: null,
      };
      const entry = request.auditEntry({ target: person, details: { passkey: passkey.id } });
      const answer = await store.call(addPasskey, { passkey, passwordHash, challenge, entry });
      if (answer === 'full') throw full();
      if (answer === 'known') throw new Refused('conflict', 'This passkey was added before.');
      if (answer !== 'done') throw notVerified();
      return reply.code(201).send(shownPasskey(passkey));
    },
  );
}

function listRoute(api: Api, { store }: PasskeyParts): void {
  api.get(
    '/me/passkeys',
    {
      config: { access: 'person' },
      schema: {
        summary: 'List your passkeys',
        tags: ['people'],
        querystring: pageQuery(PasskeyIdText),
        response: { 200: PasskeyPage },
      },
    },
    async (request) => {
      const { limit, after = null } = request.query;
      const wanted = { person: personOf(request), limit, after };
      return answerPage(await store.call(listPasskeys, wanted), shownPasskey);
    },
  );
}

function renameRoute(api: Api, { store }: PasskeyParts): void {
  api.patch(
    '/me/passkeys/:passkey',
    {
      config: { access: 'person', action: 'passkey.rename' },
      schema: {
        summary: 'Rename one of your passkeys',
        tags: ['people'],
        params: PasskeyPath,
        body: PasskeyChange,
        response: { 200: Passkey },
      },
    },
    async (request) => {
      const { passkey } = request.params;
      const { name } = request.body;
      const person = personOf(request);
      const entry = request.auditEntry({ target: person, details: { passkey } });
      const renamed = await store.call(renamePasskey, { person, passkey, name, entry });
      return shownPasskey(found(renamed, 'passkey'));
    },
  );
}

function removeRoute(api: Api, { store }: PasskeyParts): void {
  api.delete(
    '/me/passkeys/:passkey',
    {
      config: { access: 'person', action: 'passkey.remove' },
      schema: {
        summary: 'Remove one of your passkeys, which no longer signs in',
        description:
          'No password is asked, so that a lost device can be shut out from any session. Open ' +
          'sessions stay. An email tells you that a passkey was removed.',
        tags: ['people'],
        params: PasskeyPath,
        response: { 200: PasskeyRemoved },
      },
    },
    async (request) => {
      const { passkey } = request.params;
      const person = personOf(request);
      const entry = request.auditEntry({ target: person, details: { passkey } });
      const answer = await store.call(removePasskey, { person, passkey, entry });
      if (answer === 'unknown') throw noSuch('passkey');
      return { id: passkey, deleted: true as const };
    },
  );
}

function addingOf({ caller }: FastifyRequest, person: PersonRow): Attempt {
  const by = caller?.kind === 'person' ? caller.session.id : (caller?.token ?? '');
  return { kind: 'add', person: person.id, by, passwordHash: person.password_hash };
}

function shownPasskey({ id, name, created, last_used: lastUsed }: ListedPasskey): Passkey {
  return { id, name, created: isoInstant(created), last_used: instantOrNull(lastUsed) };
}

/** Whoever signs up with somebody else's address gets no way in that stays, and sends them no emails. */
function unproven(): Refused {
  return new Refused('conflict', 'Confirm your email address before you add a passkey.');
}

function full(): Refused {
  return new Refused('conflict', `You have ${PASSKEYS_MAX} passkeys: remove one first.`);
}

function notVerified(): Refused {
  return new Refused(
    'invalid_value',
    'The passkey could not be verified, or it came too late: try again.',
    'credential',
  );
}
