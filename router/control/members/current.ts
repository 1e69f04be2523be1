/** The members that an organization has now. Rows of people who left stay, for their usage. */
import type { MemberId, OrganizationId, PersonId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';
import type { MemberRow } from '../../store/schema/people.ts';

/** For procedures: selects from the members of an organization. */
export function currentMembers(db: Db, organization: OrganizationId) {
  return db
    .selectFrom('members')
    .where('members.organization', '=', organization)
    .where('members.left_at', 'is', null);
}

/** For procedures: a person's memberships, in the order in which organizations are locked. */
export function membershipsOf(db: Db, person: PersonId): Promise<MemberRow[]> {
  return db
    .selectFrom('members')
    .selectAll()
    .where('person', '=', person)
    .where('left_at', 'is', null)
    .orderBy('organization')
    .execute();
}

/** Returns null when the person is not a member. */
export async function memberOf(
  db: Db,
  organization: OrganizationId,
  person: PersonId,
): Promise<MemberId | null> {
  const row = await currentMembers(db, organization)
    .select('id')
    .where('person', '=', person)
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function isLastAdmin(
  db: Db,
  { id, organization, role }: Pick<MemberRow, 'id' | 'organization' | 'role'>,
): Promise<boolean> {
  if (role !== 'org-admin') return false;
  const other = await currentMembers(db, organization)
    .select('id')
    .where('role', '=', 'org-admin')
    .where('id', '!=', id)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}

/** For procedures: adds a person who has never been a member of the organization. */
export async function addMember(
  db: Db,
  member: Omit<MemberRow, 'left_at' | 'last_active'>,
): Promise<void> {
  await db
    .insertInto('members')
    .values({ ...member, left_at: null, last_active: 0n })
    .execute();
}
