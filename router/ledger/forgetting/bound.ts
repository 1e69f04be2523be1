/** How far usage rows may be forgotten: what has yet to read them decides. */
import type { OrganizationId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';
import { readMark } from '../rollups/fold.ts';

/** Rows beyond this number are needed yet: the analytics have still to be made from them. */
export async function forgettableSeq(db: Db, organization: OrganizationId): Promise<bigint> {
  return (await readMark(db, organization)).folded_seq;
}
