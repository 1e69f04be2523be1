/** Routes for the members of an organization. */
import type { FastifyRequest } from 'fastify';
import { MemberIdText } from '../../../shared/api/ids.ts';
import {
  Left,
  Member,
  MemberCaps,
  MemberChange,
  MemberPage,
  SetCaps,
  type ShownCaps,
} from '../../../shared/api/members.ts';
import { pageQuery } from '../../../shared/api/pages.ts';
import { formatUsd } from '../../../shared/money.ts';
import { broughtTo, spentInDay } from '../../ledger/rules/spent.ts';
import { actingOf, personOrNull } from '../access/gate.ts';
import { type Api, found, instantOrNull, isoInstant, noSuch, Refused, usdOrNull } from '../api.ts';
import { capDetails } from '../limits.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { mayDo } from '../permissions.ts';
import {
  type Activity,
  type Caps,
  changeRoleAudited,
  findMembership,
  type ListedMember,
  listMembers,
  removeMemberAudited,
  setMemberCapsAudited,
} from './procedures.ts';

export type MemberParts = Pick<ControlParts, 'store' | 'clock'>;

const MemberPath = OrganizationPath.extend({ member: MemberIdText });

export function memberRoutes(api: Api, parts: MemberParts): void {
  const { store, clock } = parts;
  api.get(
    '/organizations/:organization/members',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'List members',
        tags: ['members'],
        params: OrganizationPath,
        querystring: pageQuery(MemberIdText),
        response: { 200: MemberPage },
      },
    },
    async (request) => {
      const { organization } = request.params;
      const { limit, after = null } = request.query;
      const asked = { organization, seen: seenOf(request), limit, after };
      return answerPage(await store.call(listMembers, asked), (row) => shown(row, clock.now()));
    },
  );

  api.patch(
    '/organizations/:organization/members/:member',
    {
      config: { access: { organization: 'members' }, action: 'member.change-role' },
      schema: {
        summary: "Change a member's role; their sessions get new tokens",
        description:
          "The member's playground keys, and the open invitations that they sent, end if the new " +
          'role does not allow them. The last administrator cannot get another role: 409.',
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
      return shown(answer.member, clock.now());
    },
  );

  capsRoute(api, parts);
  leavingRoutes(api, parts);
}

function capsRoute(api: Api, { store, clock }: MemberParts): void {
  api.patch(
    '/organizations/:organization/members/:member/caps',
    {
      config: { access: { organization: 'members' }, action: 'member.change-caps' },
      schema: {
        summary: 'Cap what the keys of a member may spend together',
        description:
          'All keys that the member created count, their playground keys included, with what they ' +
          'have spent so far. The caps apply at once, and stay in force for these keys when the ' +
          'member leaves. Keys that a management token or an operator created belong to no member.',
        tags: ['members'],
        params: MemberPath,
        body: MemberCaps,
        response: { 200: SetCaps },
      },
    },
    async (request) => {
      const { organization, member } = request.params;
      const { monthly_cap: monthlyCap, daily_cap: dailyCap } = request.body;
      const now = clock.now();
      const answer = await store.call(setMemberCapsAudited, {
        input: { organization, member, change: { monthlyCap, dailyCap }, now },
        entry: request.auditEntry({ target: member, details: capDetails(request.body) }),
      });
      if (answer === 'unknown') throw noSuch('member');
      return { id: member, ...shownCaps(answer.caps, now) };
    },
  );
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
          'are revoked. The last administrator cannot be removed: 409.',
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
        description: 'The last administrator cannot leave: 409. They can delete the organization.',
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
      'An organization needs at least one administrator, and this is the last one.',
    ),
} as const;

/**
 * People who may manage members may know when these were active in the organization, and operators
 * also when they last signed in, for whichever organization.
 */
function seenOf(request: FastifyRequest): Activity {
  const { role } = actingOf(request);
  const isOperator = role === 'operator';
  const mayManage = personOrNull(request) !== null && (isOperator || mayDo(role, 'members'));
  return { lastActive: mayManage, lastSignIn: isOperator };
}

function shown(
  {
    id,
    person,
    name,
    email,
    role,
    created,
    last_active: active,
    last_sign_in: signIn,
    ...row
  }: ListedMember,
  now: number,
): Member {
  const caps = row.month === null ? null : row;
  return {
    id,
    person,
    name,
    email,
    role,
    created: isoInstant(created),
    ...(active !== undefined && { last_active: known(active) }),
    ...(signIn !== undefined && { last_sign_in: known(signIn) }),
    ...shownCaps(caps, now),
  };
}

/** Zero is an instant that is not known. */
function known(instant: bigint): string | null {
  return instantOrNull(instant === 0n ? null : instant);
}

function shownCaps(row: Caps | null, now: number): ShownCaps {
  if (row === null) return { monthly_cap: null, daily_cap: null, spend: null };
  const meter = broughtTo(row, now);
  return {
    monthly_cap: usdOrNull(row.monthly_cap),
    daily_cap: usdOrNull(row.daily_cap),
    spend: { today: formatUsd(spentInDay(meter)), month: formatUsd(meter.spent) },
  };
}
