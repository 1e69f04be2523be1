/** Routes for the members of an organization. */
import { MemberIdText } from '../../../shared/api/ids.ts';
import { Left, Member, MemberChange, MemberPage } from '../../../shared/api/members.ts';
import { pageQuery } from '../../../shared/api/pages.ts';
import { actingOf, personOrNull } from '../access/gate.ts';
import { type Api, found, isoInstant, noSuch, Refused } from '../api.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import {
  changeRoleAudited,
  findMembership,
  type ListedMember,
  listMembers,
  removeMemberAudited,
} from './procedures.ts';

export type MemberParts = Pick<ControlParts, 'store' | 'clock'>;

const MemberPath = OrganizationPath.extend({ member: MemberIdText });

export function memberRoutes(api: Api, parts: MemberParts): void {
  const { store } = parts;
  api.get(
    '/organizations/:organization/members',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'The members of the organization',
        tags: ['members'],
        params: OrganizationPath,
        querystring: pageQuery(MemberIdText),
        response: { 200: MemberPage },
      },
    },
    async ({ params: { organization }, query: { limit, after = null } }) =>
      answerPage(await store.call(listMembers, { organization, limit, after }), shown),
  );

  api.patch(
    '/organizations/:organization/members/:member',
    {
      config: { access: { organization: 'members' }, action: 'member.change-role' },
      schema: {
        summary: "Change a member's role; their sessions get new tokens",
        description:
          "The member's playground keys, and the open invitations that they sent, end if the new " +
          'role does not allow them. The last org-admin cannot get another role: 409.',
        tags: ['members'],
        params: MemberPath,
        body: MemberChange,
        response: { 200: Member },
      },
    },
    async (request) => {
      const { organization, member } = request.params;
      const { role } = request.body;
      const answer = await store.call(changeRoleAudited, {
        input: { organization, member, role },
        entry: request.auditEntry({ target: member, details: { role } }),
      });
      if (typeof answer === 'string') throw REFUSED[answer]();
      return shown(answer.member);
    },
  );

  leavingRoutes(api, parts);
}

function leavingRoutes(api: Api, { store, clock }: MemberParts): void {
  api.delete(
    '/organizations/:organization/members/:member',
    {
      config: { access: { organization: 'members' }, action: 'member.remove' },
      schema: {
        summary:
          'Remove a member; the keys that they created stay, and their usage keeps their name',
        description:
          'The API keys and management tokens that they created belong to the organization and ' +
          'stay. Revoke those whose value they may have kept. Open invitations that they sent ' +
          'are revoked. The last org-admin cannot be removed: 409.',
        tags: ['members'],
        params: MemberPath,
        response: { 200: Left },
      },
    },
    async (request) => {
      const { organization, member } = request.params;
      const input = { organization, member, now: clock.now() };
      const entry = request.auditEntry({ target: member });
      const answer = await store.call(removeMemberAudited, { input, entry });
      if (answer !== 'done') throw REFUSED[answer]();
      return { id: member, left: true as const };
    },
  );

  api.post(
    '/organizations/:organization/leave',
    {
      config: { access: { organization: 'read' }, action: 'member.leave' },
      schema: {
        summary: 'Leave the organization yourself',
        description: 'The last org-admin cannot leave: 409. They can delete the organization.',
        tags: ['members'],
        params: OrganizationPath,
        response: { 200: Left },
      },
    },
    async (request) => {
      const { organization } = actingOf(request);
      const person = personOrNull(request);
      if (person === null) throw new Refused('forbidden', 'A management token is not a member.');
      const member = found(await store.call(findMembership, { organization, person }), 'member');
      const input = { organization, member, now: clock.now() };
      const entry = request.auditEntry({ target: member });
      const answer = await store.call(removeMemberAudited, { input, entry });
      if (answer !== 'done') throw REFUSED[answer]();
      return { id: member, left: true as const };
    },
  );
}

const REFUSED = {
  unknown: () => noSuch('member'),
  last_admin: () =>
    new Refused(
      'conflict',
      'An organization needs at least one org-admin, and this is the last one.',
    ),
} as const;

function shown({ id, person, name, email, role, created }: ListedMember): Member {
  return { id, person, name, email, role, created: isoInstant(created) };
}
