/** How far usage rows may be deleted: rows that still have to be folded into the rollups stay. */
import type { OrganizationId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';
import { readMark } from '../rollups/fold.ts';

/** Returns the highest number of a row that may be deleted; rows above it are not folded yet. */
export async function forgettableSeq(db: Db, organization: OrganizationId): Promise<bigint> {
  return (await readMark(db, organization)).folded_seq;
}
