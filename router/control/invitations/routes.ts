/** Routes for invitations: members invite people, and whoever holds a link joins. */
import { InvitationIdText } from '../../../shared/api/ids.ts';
import {
  Invitation,
  InvitationPage,
  InvitationPreview,
  InvitationToken,
  Joined,
  NewInvitation,
  RevokedInvitation,
  SentInvitation,
} from '../../../shared/api/members.ts';
import { pageQuery } from '../../../shared/api/pages.ts';
import type { Clock } from '../../../shared/clock.ts';
import { mintId } from '../../../shared/ids.ts';
import { personOf, personOrNull } from '../access/gate.ts';
import { type Api, found, isoInstant, noSuch, Refused } from '../api.ts';
import { linkDigest, mintLink } from '../mail/links.ts';
import { findOrganization } from '../organizations/procedures.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { type Blocked, refuseBlocked } from '../people/throttle.ts';
import {
  acceptAudited,
  findLinked,
  inviteAudited,
  type ListedInvitation,
  listInvitations,
  previewInvitation,
  resendAudited,
  revokeInvitationAudited,
} from './procedures.ts';

export type InvitationParts = Pick<ControlParts, 'store' | 'clock' | 'random' | 'pepper' | 'urls'>;

const InvitationPath = OrganizationPath.extend({ invitation: InvitationIdText });

export function invitationRoutes(api: Api, parts: InvitationParts): void {
  sendingRoutes(api, parts);
  listRoutes(api, parts);
  acceptRoutes(api, parts);
}

function sendingRoutes(api: Api, parts: InvitationParts): void {
  const { store, clock, random } = parts;
  api.post(
    '/organizations/:organization/invitations',
    {
      config: { access: { organization: 'members' }, action: 'invitation.create' },
      schema: {
        summary: 'Invite somebody by email; only this response contains the link',
        description:
          'An email with another link is sent to the address. The invitation can be accepted ' +
          'once, and expires after seven days. The address of the person who invites must be ' +
          'confirmed.',
        tags: ['invitations'],
        params: OrganizationPath,
        body: NewInvitation,
        response: { 201: SentInvitation },
      },
    },
    async (request, reply) => {
      const { organization } = request.params;
      const { email, role } = request.body;
      const id = mintId('invitation', clock, random);
      const { url, digest } = mintLink(parts, 'invitation');
      const by = personOrNull(request);
      const answer = await store.call(inviteAudited, {
        input: { id, organization, email, role, by, digest, occasion: id, now: clock.now() },
        entry: request.auditEntry({ target: id, details: { role } }),
      });
      return reply.code(201).send({ ...shown(listed(answer), clock), url });
    },
  );

  api.post(
    '/organizations/:organization/invitations/:invitation/resend',
    {
      config: { access: { organization: 'members' }, action: 'invitation.resend' },
      schema: {
        summary:
          'Send an invitation again, valid for another seven days; former links stop working',
        tags: ['invitations'],
        params: InvitationPath,
        response: { 200: SentInvitation },
      },
    },
    async (request) => {
      const { organization, invitation } = request.params;
      const { url, digest } = mintLink(parts, 'invitation');
      const occasion = `${invitation}/${request.id}`;
      const answer = await store.call(resendAudited, {
        input: {
          organization,
          invitation,
          by: personOrNull(request),
          digest,
          occasion,
          now: clock.now(),
        },
        entry: request.auditEntry({ target: invitation }),
      });
      return { ...shown(listed(answer), clock), url };
    },
  );
}

function listRoutes(api: Api, { store, clock }: InvitationParts): void {
  api.get(
    '/organizations/:organization/invitations',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'List invitations that were not accepted yet, including expired ones',
        tags: ['invitations'],
        params: OrganizationPath,
        querystring: pageQuery(InvitationIdText),
        response: { 200: InvitationPage },
      },
    },
    async ({ params: { organization }, query: { limit, after = null } }) =>
      answerPage(await store.call(listInvitations, { organization, limit, after }), (row) =>
        shown(row, clock),
      ),
  );

  api.delete(
    '/organizations/:organization/invitations/:invitation',
    {
      config: { access: { organization: 'members' }, action: 'invitation.revoke' },
      schema: {
        summary: 'Revoke an invitation; its links stop working',
        tags: ['invitations'],
        params: InvitationPath,
        response: { 200: RevokedInvitation },
      },
    },
    async (request) => {
      const { organization, invitation } = request.params;
      const entry = request.auditEntry({ target: invitation });
      const input = { organization, invitation };
      const answer = await store.call(revokeInvitationAudited, { input, entry });
      if (answer === 'unknown') throw REFUSED.unknown();
      return { id: invitation, revoked: true as const };
    },
  );
}

function acceptRoutes(api: Api, parts: InvitationParts): void {
  const { store, clock, random } = parts;
  api.post(
    '/invitations/preview',
    {
      config: { access: 'public', action: 'invitation.preview' },
      schema: {
        summary: 'The invitation that a link belongs to',
        description:
          'The token is in the body, because servers log URLs. The response does not reveal ' +
          'whether the invited address has an account.',
        tags: ['invitations'],
        body: InvitationToken,
        response: { 200: InvitationPreview },
      },
    },
    async ({ body: { token } }) => {
      const ask = { digest: await linkDigest(parts, token), now: clock.now() };
      const preview = found(await store.call(previewInvitation, ask), 'invitation');
      return { ...preview, expires: isoInstant(preview.expires) };
    },
  );

  api.post(
    '/invitations/accept',
    {
      config: { access: 'person', action: 'invitation.accept' },
      schema: {
        summary: 'Join the organization that a link invites to',
        description:
          'The signed-in person joins, whatever their address: the link was given to them, or ' +
          'sent to an address whose emails they read. Somebody without an account signs up with ' +
          'the same token instead.',
        tags: ['invitations'],
        body: InvitationToken,
        response: { 200: Joined },
      },
    },
    async (request) => {
      const digest = await linkDigest(parts, request.body.token);
      const now = clock.now();
      const invitation = await store.call(findLinked, { digest, now });
      const { id, organization, role } = found(invitation, 'invitation');
      const member = mintId('member', clock, random);
      const answer = await store.call(acceptAudited, {
        input: { digest, person: personOf(request), member, now },
        entry: request.auditEntry({ organization, target: id, details: { role } }),
      });
      if (typeof answer === 'string') throw REFUSED[answer]();
      const owner = found(await store.call(findOrganization, organization), 'organization');
      return { organization, name: owner.name, member: answer.member, role: answer.role };
    },
  );
}

const REFUSED = {
  unknown: () => noSuch('invitation'),
  unconfirmed: () =>
    new Refused(
      'forbidden',
      'Confirm your email address before you invite people: open the link that was sent to it.',
    ),
  member: () => new Refused('conflict', 'This person is already a member of the organization.'),
  full: () => new Refused('conflict', 'The organization has reached its limit of members.'),
  invited: () =>
    new Refused(
      'conflict',
      'This address is already invited: send that invitation again.',
      'email',
    ),
  too_many: () => new Refused('conflict', 'Too many invitations are open: revoke some of them.'),
} as const;

function listed<Answer extends object>(answer: Answer | Blocked | keyof typeof REFUSED): Answer {
  if (typeof answer === 'string') throw REFUSED[answer]();
  if ('blocked' in answer) {
    return refuseBlocked(answer, 'The organization has reached its limit of invitations in a day.');
  }
  return answer;
}

function shown(row: ListedInvitation, clock: Clock): Invitation {
  const { id, email, role, inviter, created, expires } = row;
  return {
    id,
    email,
    role,
    invited_by: inviter || null,
    state: Number(expires) > clock.now() ? 'open' : 'expired',
    created: isoInstant(created),
    expires: isoInstant(expires),
  };
}
