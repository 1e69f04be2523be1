/** What ends a member's playground sessions when they leave. */
import type { MemberId, OrganizationId } from '../../../shared/ids.ts';
import { bumpEpoch } from '../../ledger/organizations.ts';
import type { Db } from '../../store/procedure.ts';

/** For procedures that announce the organization: the very next admission with one of these keys is refused. */
export async function endPlaygroundKeys(
  db: Db,
  organization: OrganizationId,
  member: MemberId,
): Promise<void> {
  await bumpEpoch(db, organization);
  await db
    .updateTable('keys')
    .set({ state: 'revoked' })
    .where('organization', '=', organization)
    .where('member', '=', member)
    .where('source', '=', 'playground')
    .where('state', '=', 'active')
    .execute();
}
