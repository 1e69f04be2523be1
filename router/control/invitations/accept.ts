/**
 * Turns an invitation into a membership, exactly once, even when several people use its links
 * concurrently.
 */
import type { Role } from '../../../shared/api/roles.ts';
import type { InvitationId, MemberId, OrganizationId, PersonId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { lockLiveOrganization } from '../../identity/organizations.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { Db } from '../../store/procedure.ts';
import type { InvitationRow } from '../../store/schema/people.ts';
import { addMember, currentMembers } from '../members/current.ts';
import { lockPerson } from '../people/procedures.ts';
import { rotateSessionsOf } from '../sessions/rotate.ts';

export type AcceptInput = Readonly<{
  /** Digest of the link's token. */
  digest: string;
  person: PersonId;
  /** The id of the new membership, unless the person was a member before. */
  member: MemberId;
  /** ms since the epoch. */
  now: number;
}>;

export type Accepted = Readonly<{
  organization: OrganizationId;
  invitation: InvitationId;
  member: MemberId;
  role: Role;
  /**
   * The address that following this link proves to be the person's, because the link was sent only
   * there. Null when the link was handed to the inviter, who could have followed it too.
   */
  proves: string | null;
}>;

/**
 * `unknown`: the link is not valid. `member`: the person is already a member. `full`: the
 * organization has reached its limit of members.
 */
export type AcceptAnswer = Accepted | 'unknown' | 'member' | 'full';

/**
 * For procedures: accepts an invitation. Whoever holds the link may use it, whatever their address:
 * it was given to them, or sent to a mailbox that they read. A former member gets their old
 * membership back.
 */
export async function acceptInvitation(db: Db, input: AcceptInput): Promise<AcceptAnswer> {
  const { digest, person } = input;
  const now = milliseconds(input.now);
  const open = await findOpenInvitation(db, digest, now);
  if (!open) return 'unknown';
  const { organization, role, id: invitation } = open;
  // Lock the organization first, so that concurrent acceptances run one after the other.
  if (!(await lockLiveOrganization(db, organization))) return 'unknown';
  // A person whose account is being erased cannot join.
  if (!(await lockPerson(db, person))) return 'unknown';
  const before = await memberOf(db, organization, person);
  if (before?.left_at === null) return 'member';
  if ((await countMembers(db, organization)) >= limits.membersPerOrganizationMax) return 'full';
  const taken = await db
    .updateTable('invitations')
    .set({ state: 'accepted' })
    .where('id', '=', invitation)
    .where('state', '=', 'open')
    .returning('id')
    .executeTakeFirst();
  if (!taken) return 'unknown';
  await db
    .updateTable('links')
    .set({ used: now })
    .where('subject', '=', invitation)
    .where('used', 'is', null)
    .execute();
  const member = before?.id ?? input.member;
  if (before) {
    await db.updateTable('members').set({ role, left_at: null }).where('id', '=', member).execute();
  } else {
    await addMember(db, { id: member, organization, person, role, created: now });
  }
  await rotateSessionsOf(db, person);
  return { organization, invitation, member, role, proves: open.sent_to || null };
}

export type OpenInvitation = InvitationRow & Readonly<{ sent_to: string }>;

/** Finds the open invitation that a link is valid for at `now`. */
export async function findOpenInvitation(
  db: Db,
  digest: string,
  now: bigint,
): Promise<OpenInvitation | undefined> {
  return await db
    .selectFrom('links')
    .innerJoin('invitations', 'invitations.id', 'links.subject')
    .where('links.digest', '=', digest)
    .where('links.purpose', '=', 'invitation')
    .where('links.used', 'is', null)
    .where('links.expires', '>', now)
    .where('invitations.state', '=', 'open')
    .where('invitations.expires', '>', now)
    .selectAll('invitations')
    .select('links.email as sent_to')
    .executeTakeFirst();
}

function memberOf(db: Db, organization: OrganizationId, person: PersonId) {
  return db
    .selectFrom('members')
    .select(['id', 'left_at'])
    .where('organization', '=', organization)
    .where('person', '=', person)
    .executeTakeFirst();
}

async function countMembers(db: Db, organization: OrganizationId): Promise<number> {
  const { n } = await currentMembers(db, organization)
    .select((row) => row.fn.countAll<bigint>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}
