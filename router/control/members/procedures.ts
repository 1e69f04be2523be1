/**
 * Members of an organization: their roles, and how they leave. At least one org-admin must remain.
 */
import type { Role } from '../../../shared/api/roles.ts';
import type { MemberId, OrganizationId, PersonId } from '../../../shared/ids.ts';
import { lockLiveOrganization } from '../../identity/organizations.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { MemberRow } from '../../store/schema/people.ts';
import { audited } from '../audit/record.ts';
import { deleteChatsOf } from '../chats/forget.ts';
import { endInvitations } from '../invitations/end.ts';
import { type ListQuery, type Page, readPage } from '../pages.ts';
import { mayDo, type Permission } from '../permissions.ts';
import { endPlaygroundKeys } from '../playground/end.ts';
import { rotateSessionsOf } from '../sessions/rotate.ts';
import { currentMembers, isLastAdmin, memberOf } from './current.ts';

export type ListedMember = Readonly<{
  id: MemberId;
  person: PersonId;
  role: Role;
  created: bigint;
  name: string;
  email: string;
}>;

type TheirMembership = Pick<MemberRow, 'id' | 'organization' | 'person'>;

type Whose = Readonly<{ organization: OrganizationId; member: MemberId }>;

export const listMembers = readProcedure<
  ListQuery<MemberId> & Readonly<{ organization: OrganizationId }>,
  Page<ListedMember, MemberId>
>('listMembers', (db, { organization, ...asked }) =>
  readPage(selectMembers(db, organization), 'members.id', asked),
);

function selectMembers(db: Db, organization: OrganizationId) {
  return currentMembers(db, organization)
    .innerJoin('people', 'people.id', 'members.person')
    .select(['members.id', 'members.person', 'members.role', 'members.created'])
    .select(['people.name', 'people.email']);
}

/** `last_admin`: the change would leave the organization without an org-admin. */
type Refusal = 'unknown' | 'last_admin';

type Changed = Readonly<{ member: ListedMember; isNew: boolean }>;

/** Changes a member's role. Setting the current role again changes nothing. */
export const changeRole = writeProcedure<Whose & Readonly<{ role: Role }>, Changed | Refusal>(
  'changeRole',
  { invalidates: ({ organization }) => organization },
  async (db, { organization, member, role }) => {
    const before = await lockMember(db, organization, member);
    if (!before) return 'unknown';
    const isNew = before.role !== role;
    if (isNew) {
      if (await isLastAdmin(db, before)) return 'last_admin';
      await endWhatIsTheirs(db, before, role);
      await db.updateTable('members').set({ role }).where('id', '=', member).execute();
    }
    const changed = await selectMembers(db, organization)
      .where('members.id', '=', member)
      .executeTakeFirstOrThrow();
    return { member: changed, isNew };
  },
);

export const changeRoleAudited = audited(
  changeRole,
  (answer) => typeof answer === 'object' && answer.isNew,
  async (db, { organization, member }) => {
    const before = await lockMember(db, organization, member);
    return before ? { role: before.role } : null;
  },
);

/** Removes a member. Records of what they did keep their name. */
export const removeMember = writeProcedure<Whose & Readonly<{ now: number }>, 'done' | Refusal>(
  'removeMember',
  { invalidates: ({ organization }) => organization },
  async (db, { organization, member, now }) => {
    const before = await lockMember(db, organization, member);
    if (!before) return 'unknown';
    if (await isLastAdmin(db, before)) return 'last_admin';
    await endMembership(db, before, now);
    return 'done';
  },
);

export const removeMemberAudited = audited(removeMember);

/** For procedures that invalidate the organization: ends a membership. */
export async function endMembership(db: Db, member: TheirMembership, now: number): Promise<void> {
  await endWhatIsTheirs(db, member, null);
  await db
    .updateTable('members')
    .set({ left_at: milliseconds(now) })
    .where('id', '=', member.id)
    .execute();
  // After the row has changed, which a chat that is being kept locks.
  await deleteChatsOf(db, member.id);
}

/**
 * Ends what the new role (null: none) does not allow: playground keys, and invitations that the
 * member sent. Their sessions get new tokens.
 */
async function endWhatIsTheirs(
  db: Db,
  { id, organization, person }: TheirMembership,
  role: Role | null,
): Promise<void> {
  const may = (permission: Permission) => role !== null && mayDo(role, permission);
  if (!may('playground')) await endPlaygroundKeys(db, organization, id);
  if (!may('members')) await endInvitations(db, organization, person);
  await rotateSessionsOf(db, person);
}

/**
 * Finds the membership of a person who acts for themselves. Returns null when they are not a
 * member.
 */
export const findMembership = readProcedure<
  Readonly<{ organization: OrganizationId; person: PersonId }>,
  MemberId | null
>('findMembership', (db, { organization, person }) => memberOf(db, organization, person));

/**
 * Locks the organization first, so that two org-admins who demote each other are handled one after
 * the other.
 */
async function lockMember(
  db: Db,
  organization: OrganizationId,
  member: MemberId,
): Promise<MemberRow | undefined> {
  if (!(await lockLiveOrganization(db, organization))) return undefined;
  return await currentMembers(db, organization)
    .selectAll()
    .where('id', '=', member)
    .executeTakeFirst();
}
