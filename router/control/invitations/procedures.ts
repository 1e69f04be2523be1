/** Creates, resends, revokes, lists, previews and accepts invitations. */
import type { Role } from '../../../shared/api/roles.ts';
import type { InvitationId, OrganizationId, PersonId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { lockLiveOrganization } from '../../identity/organizations.ts';
import { lockOrganization } from '../../ledger/locks.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { InvitationRow } from '../../store/schema/people.ts';
import { audited } from '../audit/record.ts';
import { postLetter } from '../mail/letter.ts';
import { dropLinks, insertLink } from '../mail/links.ts';
import { currentMembers, memberOf } from '../members/current.ts';
import { type ListQuery, type Page, readPage } from '../pages.ts';
import { type Blocked, countAttempt, throttledOf } from '../people/throttle.ts';
import {
  acceptInvitation,
  type AcceptAnswer,
  type AcceptInput,
  findOpenInvitation,
} from './accept.ts';

export type ListedInvitation = InvitationRow & Readonly<{ inviter: string | null }>;

/** The digest of the link that is handed to the inviter. The email contains a different link. */
type Handed = Readonly<{ digest: string; occasion: string; now: number }>;

type Invited = Handed &
  Readonly<{
    id: InvitationId;
    organization: OrganizationId;
    email: string;
    role: Role;
    by: PersonId | null;
  }>;

/**
 * `unconfirmed`: the inviter has not confirmed their own address. Otherwise anybody who signs up could
 * have emails sent to any address. `member`: the invited person is already a member. `invited`: there
 * is already an open invitation to this address. `too_many`: the organization has too many open
 * invitations.
 */
export const invite = writeProcedure<
  Invited,
  ListedInvitation | Blocked | 'unknown' | 'unconfirmed' | 'member' | 'invited' | 'too_many'
>('invite', async (db, { id, organization, email, role, by, ...handed }) => {
  const now = milliseconds(handed.now);
  if (!(await lockLiveOrganization(db, organization))) return 'unknown';
  if (!(await maySendEmails(db, by))) return 'unconfirmed';
  if (await isMember(db, organization, email)) return 'member';
  const open = await selectOpen(db, organization).where('invitations.expires', '>', now).execute();
  if (open.some((other) => other.email === email)) return 'invited';
  if (open.length >= limits.openInvitationsPerOrganizationMax) return 'too_many';
  const blocked = await countAttempt(db, [throttledOf('invitations', organization)], handed.now);
  if (blocked) return blocked;
  const expires = now + BigInt(limits.invitationMsMax);
  await db
    .updateTable('invitations')
    .set({ state: 'revoked' })
    .where('organization', '=', organization)
    .where('email', '=', email)
    .where('state', '=', 'open')
    .execute();
  await db
    .insertInto('invitations')
    .values({
      id,
      organization,
      email,
      role,
      state: 'open',
      // Customers must not see which operator invited somebody.
      invited_by: by !== null && (await memberOf(db, organization, by)) !== null ? by : null,
      created: now,
      expires,
    })
    .execute();
  await hand(db, id, handed);
  return await readInvitation(db, organization, id);
});

export const inviteAudited = audited(invite, isListed);

/** Renews an invitation's expiry and replaces its links. The former links stop working. */
export const resend = writeProcedure<
  Handed &
    Readonly<{ organization: OrganizationId; invitation: InvitationId; by: PersonId | null }>,
  ListedInvitation | Blocked | 'unknown' | 'unconfirmed'
>('resend', async (db, { organization, invitation, by, ...handed }) => {
  if (!(await lockLiveOrganization(db, organization))) return 'unknown';
  if (!(await maySendEmails(db, by))) return 'unconfirmed';
  const found = await selectOpen(db, organization)
    .where('invitations.id', '=', invitation)
    .executeTakeFirst();
  if (!found) return 'unknown';
  const blocked = await countAttempt(db, [throttledOf('invitations', organization)], handed.now);
  if (blocked) return blocked;
  await dropLinks(db, invitation);
  await db
    .updateTable('invitations')
    .set({ expires: milliseconds(handed.now + limits.invitationMsMax) })
    .where('id', '=', invitation)
    .execute();
  await hand(db, invitation, handed);
  return await readInvitation(db, organization, invitation);
});

export const resendAudited = audited(resend, isListed);

export const revokeInvitation = writeProcedure<
  Readonly<{ organization: OrganizationId; invitation: InvitationId }>,
  'done' | 'unknown'
>('revokeInvitation', async (db, { organization, invitation }) => {
  // Lock the organization as an acceptance does, so that the two run one after the other.
  await lockOrganization(db, organization);
  const taken = await db
    .updateTable('invitations')
    .set({ state: 'revoked' })
    .where('id', '=', invitation)
    .where('organization', '=', organization)
    .where('state', '=', 'open')
    .returning('id')
    .executeTakeFirst();
  if (!taken) return 'unknown';
  await dropLinks(db, invitation);
  return 'done';
});

export const revokeInvitationAudited = audited(revokeInvitation);

/** Lists open invitations, including expired ones. */
export const listInvitations = readProcedure<
  ListQuery<InvitationId> & Readonly<{ organization: OrganizationId }>,
  Page<ListedInvitation, InvitationId>
>('listInvitations', (db, { organization, ...asked }) =>
  readPage(selectOpen(db, organization), 'invitations.id', asked),
);

/** Finds the invitation behind a link. The audit entry of an acceptance needs it beforehand. */
export const findLinked = readProcedure<
  Readonly<{ digest: string; now: number }>,
  Pick<InvitationRow, 'id' | 'organization' | 'role'> | null
>('findLinked', async (db, { digest, now }) => {
  const open = await findOpenInvitation(db, digest, milliseconds(now));
  return open ? { id: open.id, organization: open.organization, role: open.role } : null;
});

export type Preview = Readonly<{
  organization: string;
  email: string;
  role: Role;
  expires: bigint;
}>;

export const previewInvitation = readProcedure<
  Readonly<{ digest: string; now: number }>,
  Preview | null
>('previewInvitation', async (db, { digest, now }) => {
  const open = await findOpenInvitation(db, digest, milliseconds(now));
  if (!open) return null;
  const owner = await db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', open.organization)
    .where('deleted', 'is', null)
    .executeTakeFirst();
  const { email, role, expires } = open;
  return owner ? { organization: owner.name, email, role, expires } : null;
});

export const accept = writeProcedure<AcceptInput, AcceptAnswer>(
  'acceptInvitation',
  acceptInvitation,
);

export const acceptAudited = audited(accept);

function isListed(answer: object | string): boolean {
  return typeof answer === 'object' && 'id' in answer;
}

/** Whether emails may be sent for the person, whose own address must be confirmed. */
async function maySendEmails(db: Db, person: PersonId | null): Promise<boolean> {
  if (person === null) return true;
  const confirmed = await db
    .selectFrom('people')
    .select('id')
    .where('id', '=', person)
    .where('email_confirmed', 'is not', null)
    .executeTakeFirst();
  return confirmed !== undefined;
}

function selectOpen(db: Db, organization: OrganizationId) {
  return db
    .selectFrom('invitations')
    .leftJoin('people', 'people.id', 'invitations.invited_by')
    .where('invitations.organization', '=', organization)
    .where('invitations.state', '=', 'open')
    .selectAll('invitations')
    .select('people.name as inviter');
}

function readInvitation(
  db: Db,
  organization: OrganizationId,
  id: InvitationId,
): Promise<ListedInvitation> {
  return selectOpen(db, organization).where('invitations.id', '=', id).executeTakeFirstOrThrow();
}

async function isMember(db: Db, organization: OrganizationId, email: string): Promise<boolean> {
  const row = await currentMembers(db, organization)
    .innerJoin('people', 'people.id', 'members.person')
    .where('people.email', '=', email)
    .select('members.id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Stores the inviter's link with an empty address, because it is sent nowhere and following it
 * proves no address. Then queues the invitation email.
 */
async function hand(db: Db, invitation: InvitationId, handed: Handed): Promise<void> {
  const { digest, occasion, now } = handed;
  const link = { digest, purpose: 'invitation', subject: invitation, email: '' } as const;
  await insertLink(db, link, { created: now, expires: now + limits.invitationMsMax });
  await postLetter(db, { kind: 'invitation', invitation }, { occasion, created: now });
}
