/**
 * Rotation: after a change of what a person may do, the next request of each of their sessions is given a new
 * token. The former is good for a moment more, for requests that were under way.
 */
import type { PersonId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';

/** For procedures that change somebody's role or how they prove who they are. */
export async function rotateSessionsOf(db: Db, person: PersonId): Promise<void> {
  await db.updateTable('sessions').set({ rotate: 1n }).where('person', '=', person).execute();
}
