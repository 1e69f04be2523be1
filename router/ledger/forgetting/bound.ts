/** How far usage rows may be forgotten: what has yet to read them decides. */
import type { OrganizationId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';

/** Rows beyond this number are needed yet. As long as nothing is made from them, none is. */
export async function forgettableSeq(db: Db, organization: OrganizationId): Promise<bigint> {
  const row = await db
    .selectFrom('accounts')
    .select('usage_seq')
    .where('id', '=', organization)
    .executeTakeFirst();
  return row?.usage_seq ?? 0n;
}
