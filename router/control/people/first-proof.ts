/**
 * The first proof of an address. Anybody can sign up with anybody's address, so whoever first
 * proves that they read its mailbox gets the account alone (docs/decisions/0018-identity.md). What
 * was made in the account before that may belong to somebody else, and is ended.
 */
import type { OrganizationId, PersonId } from '../../../shared/ids.ts';
import { bumpEpoch } from '../../ledger/epoch.ts';
import { lockOrganization } from '../../ledger/locks.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { Db } from '../../store/procedure.ts';
import type { MemberRow } from '../../store/schema/people.ts';
import { endInvitations } from '../invitations/end.ts';
import { endLinksInto } from '../mail/letter.ts';
import { currentMembers, membershipsOf } from '../members/current.ts';
import { endMembership } from '../members/procedures.ts';
import { endSessionsOf } from '../sessions/procedures.ts';
import { dropWelcomeClaim } from '../welcome/grant.ts';

/**
 * For procedures: ends everything that was made in an account before its address was proven. The
 * caller changes the password.
 */
export async function endUnproven(db: Db, person: PersonId, now: number): Promise<void> {
  const memberships = await membershipsOf(db, person);
  for (const { organization } of memberships) await lockOrganization(db, organization);
  for (const membership of memberships) await endWhatTheyMade(db, membership, now);
  await endSessionsOf(db, person);
  await endLinksInto(db, person);
  await db.deleteFrom('recovery_codes').where('person', '=', person).execute();
  await db
    .updateTable('people')
    .set({ totp_secret: null, totp_step: null, muted_emails: null, incident_emails: null })
    .where('id', '=', person)
    .execute();
}

/**
 * Ends what an unproven account made in an organization. If the account founded the organization,
 * all other members came in through it, so everything ends there. But if another org-admin has
 * proven an address, the organization is theirs and keeps what it has, and this account leaves it:
 * its owner must not pay for an organization where strangers may have keys.
 */
async function endWhatTheyMade(db: Db, membership: MemberRow, now: number): Promise<void> {
  const { organization, person, id } = membership;
  const hasFounded = await founded(db, membership);
  const isFounder = hasFounded && !(await hasProvenAdmin(db, organization, person));
  let keys = db
    .updateTable('keys')
    .set({ state: 'revoked', revoked: milliseconds(now) })
    .where('organization', '=', organization)
    .where('state', '=', 'active');
  let tokens = db
    .updateTable('management_tokens')
    .set({ revoked: milliseconds(now) })
    .where('organization', '=', organization)
    .where('revoked', 'is', null);
  if (!isFounder) {
    keys = keys.where('member', '=', id);
    tokens = tokens.where('created_by', '=', person);
  }
  // Every router's next admission sees that the keys are revoked.
  await bumpEpoch(db, organization);
  await keys.execute();
  await tokens.execute();
  await endInvitations(db, organization, isFounder ? null : person);
  if (isFounder) await endOthers(db, organization, membership, now);
  else if (hasFounded) {
    await endMembership(db, membership, now);
    await dropWelcomeClaim(db, person);
  }
}

async function endOthers(
  db: Db,
  organization: OrganizationId,
  { id }: MemberRow,
  now: number,
): Promise<void> {
  const others = await currentMembers(db, organization).selectAll().where('id', '!=', id).execute();
  for (const other of others) await endMembership(db, other, now);
}

async function hasProvenAdmin(
  db: Db,
  organization: OrganizationId,
  person: PersonId,
): Promise<boolean> {
  const admin = await currentMembers(db, organization)
    .innerJoin('people', 'people.id', 'members.person')
    .select('members.id')
    .where('members.person', '!=', person)
    .where('members.role', '=', 'org-admin')
    .where('people.email_confirmed', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return admin !== undefined;
}

/** Whether nobody was a member of the organization before this one. */
async function founded(db: Db, { organization, id }: MemberRow): Promise<boolean> {
  const first = await db
    .selectFrom('members')
    .select('id')
    .where('organization', '=', organization)
    .orderBy('created')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return first?.id === id;
}
