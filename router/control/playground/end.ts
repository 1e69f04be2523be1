/** The end of playground keys before their time: their member leaves, or has more of them than anybody uses. */
import type { MemberId, OrganizationId } from '../../../shared/ids.ts';
import { bumpEpoch } from '../../ledger/organizations.ts';
import type { Db } from '../../store/procedure.ts';

/**
 * For procedures, which announce the organization: ends a member's playground keys, but for the newest `keep`. The
 * next admission with one of them is refused; their usage keeps its name. Answers how many.
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
