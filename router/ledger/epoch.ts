/** The epoch of an organization's account, against which each admission checks a cached key. */
import type { OrganizationId } from '../../shared/ids.ts';
import type { Db } from '../store/procedure.ts';

/**
 * Raises the epoch, which makes every cached key of the organization stale: the next admission
 * looks its key up again (MONEY 11).
 */
export async function bumpEpoch(db: Db, organization: OrganizationId): Promise<void> {
  await db
    .updateTable('accounts')
    .set((row) => ({ auth_epoch: row('auth_epoch', '+', 1n) }))
    .where('id', '=', organization)
    .execute();
}
