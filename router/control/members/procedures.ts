/**
 * Members of an organization: their roles, and how they leave. At least one org-admin must remain.
 */
import type { Role } from '../../../shared/api/roles.ts';
import type { MemberId, OrganizationId, PersonId } from '../../../shared/ids.ts';
import type { CapsChange } from '../../identity/caps-change.ts';
import { changeMemberCaps } from '../../identity/member-caps.ts';
import { lockLiveOrganization } from '../../identity/organizations.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { MemberCapRow, SpentColumns } from '../../store/schema/ledger.ts';
import type { MemberRow } from '../../store/schema/people.ts';
import { usdOrNull } from '../api.ts';
import { audited } from '../audit/record.ts';
import { deleteChatsOf } from '../chats/forget.ts';
import { endInvitations } from '../invitations/end.ts';
import { type ListQuery, type Page, readPage } from '../pages.ts';
import { mayDo, type Permission } from '../permissions.ts';
import { endPlaygroundKeys } from '../playground/end.ts';
import { rotateSessionsOf } from '../sessions/rotate.ts';
import { currentMembers, isLastAdmin, memberOf } from './current.ts';

/** The caps of a member, and what their keys have spent in the month and the newest day. */
export type Caps = SpentColumns & Pick<MemberCapRow, 'monthly_cap' | 'daily_cap'>;

/** A member without caps has null in their columns. */
export type ListedMember = Readonly<{
  id: MemberId;
  person: PersonId;
  role: Role;
  created: bigint;
  name: string;
  email: string;
  /** In ms since the epoch. Zero: not known. Absent: it was not asked for. */
  last_active?: bigint;
  last_sign_in?: bigint;
}> &
  (Caps | Readonly<Record<keyof Caps, null>>);

type TheirMembership = Pick<MemberRow, 'id' | 'organization' | 'person'>;

type Whose = Readonly<{ organization: OrganizationId; member: MemberId }>;

export const listMembers = readProcedure<
  ListQuery<MemberId> & Readonly<{ organization: OrganizationId; seen: Activity }>,
  Page<ListedMember, MemberId>
>('listMembers', (db, { organization, seen, ...asked }) =>
  readPage(selectMembers(db, organization, seen), 'members.id', asked),
);

/** Which times of a member the caller may know. */
export type Activity = Readonly<{ lastActive: boolean; lastSignIn: boolean }>;

function selectMembers(db: Db, organization: OrganizationId, seen: Activity) {
  return currentMembers(db, organization)
    .innerJoin('people', 'people.id', 'members.person')
    .select(['members.id', 'members.person', 'members.role', 'members.created'])
    .leftJoin('member_caps as caps', 'caps.member', 'members.id')
    .select(['people.name', 'people.email'])
    .select(['caps.monthly_cap', 'caps.daily_cap', 'caps.month', 'caps.spent'])
    .select(['caps.day_from', 'caps.before_day'])
    .$if(seen.lastActive, (query) => query.select('members.last_active'))
    .$if(seen.lastSignIn, (query) => query.select('people.last_sign_in'))
    .$castTo<ListedMember>();
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
    const changed = await selectMembers(db, organization, { lastActive: true, lastSignIn: false })
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

/**
 * Changes what the keys of a member may spend together, also of a member who has left, because the
 * keys that they created stay. Returns the caps; null if the member has none now.
 */
export const setMemberCaps = writeProcedure<
  Whose & Readonly<{ change: CapsChange; now: number }>,
  Readonly<{ caps: MemberCapRow | null }> | 'unknown'
>(
  'setMemberCaps',
  { invalidates: ({ organization }) => organization },
  async (db, { organization, member, change, now }) => {
    if (!(await lockLiveOrganization(db, organization))) return 'unknown';
    const known = await db
      .selectFrom('members')
      .select('id')
      .where('id', '=', member)
      .where('organization', '=', organization)
      .executeTakeFirst();
    if (!known) return 'unknown';
    return { caps: await changeMemberCaps(db, { organization, member }, change, now) };
  },
);

export const setMemberCapsAudited = audited(
  setMemberCaps,
  undefined,
  async (db, { organization, member }) => {
    await lockLiveOrganization(db, organization);
    const row = await db
      .selectFrom('member_caps')
      .select(['monthly_cap', 'daily_cap'])
      .where('member', '=', member)
      .where('organization', '=', organization)
      .executeTakeFirst();
    return {
      monthly_cap: usdOrNull(row?.monthly_cap ?? null),
      daily_cap: usdOrNull(row?.daily_cap ?? null),
    };
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
    .set({ left_at: milliseconds(now), last_active: 0n })
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
