/** For procedures: what an operator has allowed in an organization, and until when. */
import type { OrganizationId, PersonId } from '../../../shared/ids.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { Db } from '../../store/procedure.ts';
import type { OperatorChangesRow } from '../../store/schema/people.ts';

export type ChangesOf = Readonly<{
  organization: OrganizationId;
  person: PersonId;
  /** ms since the epoch. */
  now: number;
}>;

export async function hasAllowedChanges(db: Db, of: ChangesOf): Promise<boolean> {
  return (await allowedChanges(db, of)) !== null;
}

/**
 * Ends what a person has allowed themselves to change, because they are no administrator any more. The
 * task that ends expired changes records it.
 */
export async function stopChangesOf(db: Db, person: PersonId, now: number): Promise<void> {
  const ends = milliseconds(now);
  await db
    .updateTable('operator_changes')
    .set({ ends })
    .where('person', '=', person)
    .where('ends', '>', ends)
    .execute();
}

/** Returns null when the operator has not allowed changes, or their time is over. */
export async function allowedChanges(
  db: Db,
  { organization, person, now }: ChangesOf,
): Promise<OperatorChangesRow | null> {
  const row = await db
    .selectFrom('operator_changes')
    .selectAll()
    .where('person', '=', person)
    .where('organization', '=', organization)
    .where('ends', '>', milliseconds(now))
    .executeTakeFirst();
  return row ?? null;
}
