/** The end of invitations before their time: the organization is deleted, or who sent them may send none any more. */
import type { OrganizationId, PersonId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';

/** For procedures that have locked the organization: takes back the open ones, all or those that somebody sent. */
export async function endInvitations(
  db: Db,
  organization: OrganizationId,
  by: PersonId | null = null,
): Promise<void> {
  let open = db
    .selectFrom('invitations')
    .select('id')
    .where('organization', '=', organization)
    .where('state', '=', 'open');
  if (by !== null) open = open.where('invited_by', '=', by);
  await db.deleteFrom('links').where('subject', 'in', open).execute();
  await db.updateTable('invitations').set({ state: 'revoked' }).where('id', 'in', open).execute();
}
