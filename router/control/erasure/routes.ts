/** Routes that delete an organization or a person's account. */
import { Erased, OrganizationDeletion, PersonErasure } from '../../../shared/api/erasure.ts';
import { Deleted } from '../../../shared/api/keys.ts';
import { type BlockingOrganization, Refusal } from '../../../shared/refusals.ts';
import { personOf } from '../access/gate.ts';
import { type Api, noSuch, Refused } from '../api.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import type { ControlParts } from '../parts.ts';
import { type ReauthenticateParts, reauthenticate } from '../people/reauthenticate.ts';
import { takeCookie } from '../sessions/mint.ts';
import { mailboxDigest } from '../welcome/address.ts';
import type { WelcomeParts } from '../welcome/grant.ts';
import { deleteOrganizationAudited } from './organization.ts';
import { announceChange, type Blocking, erasePerson, findOrganizationsOf } from './person.ts';

export type ErasureParts = ReauthenticateParts &
  Pick<WelcomeParts, 'mailboxSecret'> &
  Pick<ControlParts, 'urls'>;

export function erasureRoutes(api: Api, parts: ErasureParts): void {
  organizationRoute(api, parts);
  personRoute(api, parts);
}

function organizationRoute(api: Api, { store, clock }: ErasureParts): void {
  api.delete(
    '/organizations/:organization',
    {
      config: { access: { organization: 'settings' }, action: 'organization.delete' },
      schema: {
        summary: 'Delete the organization permanently',
        description:
          'Its keys and tokens stop working at once, its running requests are cut off, its ' +
          'members and invitations end, and its name is erased. The ledger is kept. Ask the ' +
          'operator to refund a remaining balance before you delete the organization. An ' +
          'organization that owes something or has an open invoice cannot be deleted by anybody: ' +
          '409. A management token cannot do this.',
        tags: ['organizations'],
        params: OrganizationPath,
        body: OrganizationDeletion,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      if (request.caller?.kind === 'management-token') {
        throw new Refused(
          'forbidden',
          'A management token cannot delete an organization: a signed-in person must do it.',
        );
      }
      const { organization } = request.params;
      const answer = await store.call(deleteOrganizationAudited, {
        input: { organization, name: request.body.name, now: clock.now() },
        entry: request.auditEntry({ target: organization }),
      });
      if (answer === 'unknown') throw noSuch('organization');
      if (answer === 'differs') {
        throw new Refused('conflict', "This is not the organization's name.", 'name');
      }
      if (answer !== 'done') {
        throw new Refused('conflict', `The organization cannot be deleted: ${answer.owing}`);
      }
      return { id: organization, deleted: true as const };
    },
  );
}

function personRoute(api: Api, parts: ErasureParts): void {
  const { store, clock } = parts;
  api.delete(
    '/me',
    {
      config: { access: 'person', action: 'person.erase' },
      schema: {
        summary: 'Delete your account permanently',
        description:
          'Your name and address are erased, your sessions end, and you leave your ' +
          'organizations. An organization of which you are the only member is deleted with your ' +
          'account, and must not owe anything. An organization whose other members would have no ' +
          'administrator must get another one first. The error 409 lists the organizations that ' +
          'must change first. A keyed digest of your address is kept, so that the address does not ' +
          'get the welcome credit again. The address cannot be read from the digest.',
        tags: ['people'],
        body: PersonErasure,
        response: { 200: Erased },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { password } = request.body;
      const now = clock.now();
      const proven = await reauthenticate(parts, request, password);
      const { password_hash: passwordHash, email } = proven;
      const organizations = await store.call(findOrganizationsOf, person);
      const deletions = organizations.map((organization) => [
        organization,
        {
          ...request.auditEntry({ organization, target: organization }),
          action: 'organization.delete',
        },
      ]);
      const entry = request.auditEntry({ target: person });
      const answer = await store.call(erasePerson, {
        person,
        passwordHash,
        now,
        address: mailboxDigest(parts.mailboxSecret, email),
        entry,
        deletions: Object.fromEntries(deletions),
      });
      if (answer === 'changed') throw new Refused('conflict', 'Something has changed: try again.');
      if (answer === 'last_operator') {
        throw new Refused(
          'conflict',
          'You are the last administrator among the operators of this installation.',
        );
      }
      if ('blockedBy' in answer) {
        const blocking = answer.blockedBy.map(shownBlocking);
        const message = blocking.map(({ message: each }) => each).join(' ');
        throw new Refused(new Refusal('conflict', { message, organizations: blocking }));
      }
      for (const organization of answer.left) await store.call(announceChange, organization);
      takeCookie(reply, parts);
      return { id: person, erased: true as const };
    },
  );
}

function shownBlocking({ organization: id, name, owing }: Blocking): BlockingOrganization {
  if (owing === null) {
    const message = `You are the last administrator of ${name}: make another member an administrator, or delete it.`;
    return { id, name, reason: 'last_admin', message };
  }
  const message = `${name} would be deleted with your account, but cannot be deleted: ${owing}`;
  return { id, name, reason: 'owing', message };
}
