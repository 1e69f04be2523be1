/** One person for operators: their organizations, open sessions, and how they sign in. */
import type { Role } from '../../../shared/api/roles.ts';
import type { OrganizationId, PersonId } from '../../../shared/ids.ts';
import { readProcedure } from '../../store/procedure.ts';
import { countPasskeys } from '../passkeys/stored.ts';
import { type ListedSession, liveSessions, SESSIONS_MAX } from '../sessions/procedures.ts';
import { LISTED, type ListedPerson, MEMBERSHIPS_MAX, people } from './procedures.ts';

export type PersonDetail = Readonly<{
  person: ListedPerson;
  organizations: readonly Readonly<{
    id: OrganizationId;
    name: string;
    role: Role;
    /** When the person joined, in ms since the epoch. */
    joined: bigint;
  }>[];
  /** The last used first. */
  sessions: readonly ListedSession[];
  recoveryCodesLeft: number;
  passkeys: number;
}>;

export const findPersonDetail = readProcedure<
  Readonly<{ person: PersonId; now: number }>,
  PersonDetail | null
>('findPersonDetail', async (db, { person: id, now }) => {
  const person = await people(db).select(LISTED).where('id', '=', id).executeTakeFirst();
  if (!person) return null;
  const organizations = await db
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organization')
    .where('members.person', '=', id)
    .where('members.left_at', 'is', null)
    .where('organizations.deleted', 'is', null)
    .select(['organizations.id', 'organizations.name', 'members.role', 'members.created as joined'])
    .orderBy('organizations.name')
    .orderBy('organizations.id')
    .limit(MEMBERSHIPS_MAX)
    .execute();
  const sessions = await liveSessions(db, id, now)
    .orderBy('last_seen', 'desc')
    .orderBy('id', 'desc')
    .limit(SESSIONS_MAX)
    .execute();
  const codes = await db
    .selectFrom('recovery_codes')
    .select((row) => row.fn.countAll<bigint>().as('left'))
    .where('person', '=', id)
    .where('used', 'is', null)
    .executeTakeFirstOrThrow();
  return {
    person,
    organizations,
    sessions,
    recoveryCodesLeft: Number(codes.left),
    passkeys: await countPasskeys(db, id),
  };
});
