/**
 * Locks on rows until the transaction ends, for procedures that look before they write: on PostgreSQL the
 * ledger's batches run beside them. A row is locked by writing it as it is, which both databases understand.
 * Organizations come before accounts, accounts before all else, several rows in the order of their ids.
 */
import type { OrganizationId } from '../../shared/ids.ts';
import type { Db } from '../store/procedure.ts';
import type { AccountRow, OrganizationRow } from '../store/schema/ledger.ts';

export function lockOrganization(db: Db, id: OrganizationId): Promise<OrganizationRow | undefined> {
  return db
    .updateTable('organizations')
    .set((row) => ({ status: row.ref('status') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

export function lockAccount(db: Db, id: OrganizationId): Promise<AccountRow | undefined> {
  return db
    .updateTable('accounts')
    .set((row) => ({ transfer_seq: row.ref('transfer_seq') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}
