/**
 * Locks and unlocks the accounts of people. While an account is locked, nobody signs in to it, its
 * sessions have ended and its operator token is refused. What belongs to organizations, such as
 * their keys and tokens, is not touched.
 */
import type { OrganizationId, PersonId } from '../../../shared/ids.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { PersonRow } from '../../store/schema/people.ts';
import { type AuditEntry, record } from '../audit/record.ts';
import { endLinksInto } from '../mail/letter.ts';
import { stopChangesOf } from '../operator-changes/allowed.ts';
import { endSessionsOf } from '../sessions/procedures.ts';
import { isAdministrator, lockPerson } from './procedures.ts';

/** `by`: the operator who locks or unlocks the account. */
type LockChange = Readonly<{ person: PersonId; by: PersonId; entry: AuditEntry }>;

/**
 * Locks an account, and ends its sessions and the links that were sent to it. A link that an
 * operator creates later works, for example to set a new password before the account is unlocked.
 * `same`: it is locked already. `own`: it is the operator's own. `locked_out`: the operator has been
 * locked, revoked or made a viewer meanwhile, perhaps by the person, so that two operators cannot shut
 * each other out.
 */
export const lockAccountOf = writeProcedure<
  LockChange,
  'done' | 'unknown' | 'same' | 'own' | 'locked_out'
>('lockAccountOf', async (db, { person, by, entry }) => {
  if (person === by) return 'own';
  const { [person]: row, [by]: operator } = await lockBoth(db, person, by);
  if (!operator || !isAdministrator(operator)) return 'locked_out';
  if (!row) return 'unknown';
  if (row.locked_at !== null) return 'same';
  await endSessionsOf(db, person);
  await stopChangesOf(db, person, entry.created);
  await db
    .updateTable('people')
    .set({ locked_at: milliseconds(entry.created) })
    .where('id', '=', person)
    .execute();
  await endLinksInto(db, person);
  await record(db, entry);
  return 'done';
});

/**
 * Unlocks an account. A session that a router of an earlier version has begun meanwhile ends.
 * `same`: it is not locked. `locked_out`: as above, so that nobody unlocks their own account.
 */
export const unlockAccountOf = writeProcedure<
  LockChange,
  'done' | 'unknown' | 'same' | 'locked_out'
>('unlockAccountOf', async (db, { person, by, entry }) => {
  const { [person]: row, [by]: operator } = await lockBoth(db, person, by);
  if (!operator || !isAdministrator(operator)) return 'locked_out';
  if (!row) return 'unknown';
  if (row.locked_at === null) return 'same';
  await endSessionsOf(db, person);
  await db.updateTable('people').set({ locked_at: null }).where('id', '=', person).execute();
  await record(db, entry);
  return 'done';
});

type Locked = Partial<Record<PersonId, PersonRow>>;

/** Locks the rows of two people, in the order of their ids. */
async function lockBoth(db: Db, one: PersonId, other: PersonId): Promise<Locked> {
  const rows: Locked = {};
  for (const id of [one, other].toSorted()) {
    const row = await lockPerson(db, id);
    if (row) rows[id] = row;
  }
  return rows;
}

/** The organizations in which a person has playground keys, which work without a session. */
export const findPlaygroundsOf = readProcedure<PersonId, readonly OrganizationId[]>(
  'findPlaygroundsOf',
  { heavy: true },
  async (db, person) => {
    const rows = await db
      .selectFrom('members')
      .innerJoin('keys', (join) =>
        join
          .onRef('keys.organization', '=', 'members.organization')
          .onRef('keys.member', '=', 'members.id'),
      )
      .select('keys.organization')
      .distinct()
      .where('members.person', '=', person)
      .where('members.left_at', 'is', null)
      .where('keys.source', '=', 'playground')
      .where('keys.state', '!=', 'deleted')
      .execute();
    return rows.map(({ organization }) => organization);
  },
);
