/** Ends playground keys early, when their member leaves or has too many of them. */
import type { MemberId, OrganizationId } from '../../../shared/ids.ts';
import { bumpEpoch } from '../../ledger/epoch.ts';
import type { Db } from '../../store/procedure.ts';

/**
 * For procedures that invalidate the organization: deletes a member's playground keys except the
 * newest `keep`. The next admission with a deleted key is refused; its usage keeps its name.
 * Returns how many keys were deleted.
 */
export async function endPlaygroundKeys(
  db: Db,
  organization: OrganizationId,
  member: MemberId,
  keep = 0,
): Promise<number> {
  const live = await db
    .selectFrom('keys')
    .select('id')
    .where('organization', '=', organization)
    .where('member', '=', member)
    .where('source', '=', 'playground')
    .where('state', '!=', 'deleted')
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const ended = live.slice(keep).map(({ id }) => id);
  if (ended.length === 0) return 0;
  await bumpEpoch(db, organization);
  await db.updateTable('keys').set({ state: 'deleted' }).where('id', 'in', ended).execute();
  return ended.length;
}
