/**
 * Ends invitations early, when the organization is deleted or when the inviter may no longer
 * invite.
 */
import type { OrganizationId, PersonId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';

/**
 * For procedures that have locked the organization: revokes its open invitations, or only those
 * that `by` sent.
 */
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
