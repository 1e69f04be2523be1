/**
 * Row locks until the end of the transaction, for procedures that read before they write: on
 * PostgreSQL the ledger's batches run concurrently. A row is locked by writing it unchanged, which
 * works on both databases. The order of locks is: organizations, accounts, everything else; and
 * within a table the order of ids.
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
