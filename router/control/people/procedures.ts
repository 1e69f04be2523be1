/** Finds people, and changes their names and which emails they get. */
import type { MeChange } from '../../../shared/api/people.ts';
import type { Role } from '../../../shared/api/roles.ts';
import type { MemberId, OrganizationId, PersonId } from '../../../shared/ids.ts';
import type { Region } from '../../../shared/region.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { PersonRow } from '../../store/schema/people.ts';
import { type AuditEntry, record } from '../audit/record.ts';
import { insertLink } from '../mail/links.ts';

export type ListedPerson = Omit<
  PersonRow,
  'password_hash' | 'totp_secret' | 'operator_since' | 'erased'
>;

export type Membership = Readonly<{
  id: OrganizationId;
  name: string;
  region: Region;
  role: Role;
  member: MemberId;
  /** Whether it gets the welcome credit when the person confirms their address. */
  awaitsWelcome: boolean;
}>;

export type FoundMe = Readonly<{ person: ListedPerson; organizations: readonly Membership[] }>;

/** The columns of `ListedPerson`. */
export const LISTED = [
  'id',
  'email',
  'name',
  'operator',
  'operator_role',
  'created',
  'email_confirmed',
  'totp_step',
  'muted_emails',
  'incident_emails',
  'locked_at',
  'last_sign_in',
] as const;

/** The most organizations of a person that an answer has. */
export const MEMBERSHIPS_MAX = 1_000;

export const findMe = readProcedure<PersonId, FoundMe | null>('findMe', async (db, id) => {
  const person = await people(db).select(LISTED).where('id', '=', id).executeTakeFirst();
  if (!person) return null;
  const rows = await db
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organization')
    .leftJoin('welcome_claims', (join) =>
      join
        .onRef('welcome_claims.organization', '=', 'members.organization')
        .onRef('welcome_claims.person', '=', 'members.person'),
    )
    .where('members.person', '=', id)
    .where('members.left_at', 'is', null)
    .where('organizations.deleted', 'is', null)
    .select([
      'organizations.id',
      'organizations.name',
      'organizations.region',
      'members.role',
      'members.id as member',
      'welcome_claims.created as claimed',
    ])
    .orderBy('organizations.name')
    .orderBy('organizations.id')
    .limit(MEMBERSHIPS_MAX)
    .execute();
  const organizations = rows.map(({ claimed, ...membership }) => ({
    ...membership,
    awaitsWelcome: claimed !== null && person.email_confirmed === null,
  }));
  return { person, organizations };
});

export const findListedPerson = readProcedure<PersonId, ListedPerson | null>(
  'findListedPerson',
  async (db, id) => {
    return (await people(db).select(LISTED).where('id', '=', id).executeTakeFirst()) ?? null;
  },
);

/** Returns a person with their secrets. Use it only to verify them; never show the row. */
export const findPerson = readProcedure<PersonId, PersonRow | null>(
  'findPerson',
  async (db, id) => {
    return (await people(db).selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
  },
);

/** For procedures: selects from the people who are not erased. */
export function people(db: Db) {
  return db.selectFrom('people').where('erased', 'is', null);
}

/**
 * For procedures: locks a person until the transaction ends. Returns undefined when there is no
 * such person, or they are erased.
 */
export async function lockPerson(db: Db, id: PersonId): Promise<PersonRow | undefined> {
  return await db
    .updateTable('people')
    .set((row) => ({ operator: row.ref('operator') }))
    .where('id', '=', id)
    .where('erased', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/**
 * For procedures: whether the administrator who makes a change still is one; their row is locked. Who
 * was locked, revoked or made a viewer after their request was let in must not undo that with it.
 * Null: a command on the router's machine.
 */
export async function isStillAdministrator(db: Db, by: PersonId | null): Promise<boolean> {
  if (by === null) return true;
  const row = await lockPerson(db, by);
  return row !== undefined && isAdministrator(row);
}

/** Whether a person is an operator who may change the platform now. */
export function isAdministrator({ operator, operator_role: role, locked_at }: PersonRow): boolean {
  return operator === 1n && role !== 'viewer' && locked_at === null;
}

/** For procedures: whether an operator has locked the account of this person. */
export async function isLocked(db: Db, id: PersonId): Promise<boolean> {
  const person = await db
    .selectFrom('people')
    .select('locked_at')
    .where('id', '=', id)
    .executeTakeFirst();
  return person?.locked_at != null;
}

/** For procedures: whether somebody other than `by` has this address. */
export async function emailIsTaken(db: Db, email: string, by?: PersonId): Promise<boolean> {
  let query = db.selectFrom('people').select('id').where('email', '=', email);
  if (by !== undefined) query = query.where('id', '!=', by);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Changes what is given. */
export const changePerson = writeProcedure<
  Readonly<{ person: PersonId; change: MeChange; entry: AuditEntry }>,
  null
>('changePerson', async (db, { person, change, entry }) => {
  const { name, muted_emails: muted, incident_emails: incidents } = change;
  // An erased person must not get a name again.
  if (!(await lockPerson(db, person))) return null;
  const to = {
    ...(name !== undefined && { name }),
    ...(muted !== undefined && { muted_emails: muted.length === 0 ? null : muted.join(',') }),
    ...(incidents !== undefined && { incident_emails: incidents === 'none' ? null : incidents }),
  };
  if (Object.keys(to).length === 0) return null;
  await db.updateTable('people').set(to).where('id', '=', person).execute();
  await record(db, entry);
  return null;
});

/**
 * Stores a link for the person with this address. Returns the person's id, or null when there is
 * none.
 */
export const insertLinkFor = writeProcedure<
  Readonly<{
    email: string;
    digest: string;
    purpose: 'reset-password' | 'confirm-email';
    expires: number;
    entry: AuditEntry;
  }>,
  PersonId | null
>('insertLinkFor', async (db, { email, digest, purpose, expires, entry }) => {
  const person = await people(db).select('id').where('email', '=', email).executeTakeFirst();
  if (!person) return null;
  const link = { digest, purpose, subject: person.id, email };
  await insertLink(db, link, { created: entry.created, expires });
  await record(db, { ...entry, target: person.id, details: { purpose } });
  return person.id;
});
