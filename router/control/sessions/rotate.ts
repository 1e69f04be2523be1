/**
 * Session rotation. After a change in what a person may do, the next request of each of their
 * sessions gets a new token. The former token is accepted for a moment longer, for requests in
 * flight.
 */
import type { PersonId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';

/** For procedures that change somebody's role, or how they sign in. */
export async function rotateSessionsOf(db: Db, person: PersonId): Promise<void> {
  await db.updateTable('sessions').set({ rotate: 1n }).where('person', '=', person).execute();
}
