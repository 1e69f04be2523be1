/**
 * Sign-up: creates a person, their first organization or a membership by invitation, and a session,
 * all or nothing.
 */
import type { Role } from '../../../shared/api/roles.ts';
import type { MemberId } from '../../../shared/ids.ts';
import { addOrganization, type NewOrganization } from '../../identity/organizations.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, writeProcedure } from '../../store/procedure.ts';
import type { PersonRow, SessionRow } from '../../store/schema/people.ts';
import { type AuditEntry, record } from '../audit/record.ts';
import { acceptInvitation, findOpenInvitation } from '../invitations/accept.ts';
import { postLetter } from '../mail/letter.ts';
import { addMember } from '../members/current.ts';
import { beginSession } from '../sessions/procedures.ts';
import { claimWelcome } from '../welcome/grant.ts';
import { emailIsTaken } from './procedures.ts';
import { type Blocked, countAttempt, type Throttled } from './throttle.ts';

/** Counts an attempt before the password is hashed, because hashing is the expensive part. */
export const countSignUp = writeProcedure<
  Readonly<{ address: Throttled; now: number }>,
  Blocked | null
>('countSignUp', (db, { address, now }) => countAttempt(db, [address], now));

export type NewPerson = Readonly<{
  person: PersonRow;
  member: MemberId;
  /** The new organization, or the digest of an invitation's token. */
  joins: NewOrganization | string;
  session: SessionRow;
  presented: string | null;
  /** Keyed digest of the client's network, for the welcome credit. */
  network: string;
  entry: AuditEntry;
}>;

export const signUp = writeProcedure<NewPerson, 'done' | 'taken' | 'no_invitation' | 'full'>(
  'signUp',
  async (db, input) => {
    const { person, joins, session, presented, entry } = input;
    const now = entry.created;
    const invited = typeof joins === 'string';
    if (invited && !(await findOpenInvitation(db, joins, milliseconds(now)))) {
      return 'no_invitation';
    }
    if (await emailIsTaken(db, person.email)) return 'taken';
    await db.insertInto('people').values(person).execute();
    const joined = await (invited ? join(db, joins, input) : open(db, joins, input));
    if (typeof joined === 'string') {
      await db.deleteFrom('people').where('id', '=', person.id).execute();
      return joined;
    }
    if (joined.proves === person.email) {
      await db
        .updateTable('people')
        .set({ email_confirmed: person.created })
        .where('id', '=', person.id)
        .execute();
    } else {
      const letter = { kind: 'confirm-email', person: person.id, email: person.email } as const;
      await postLetter(db, letter, { occasion: entry.request, created: now });
    }
    await beginSession(db, session, presented);
    const { organization, role } = joined;
    await record(db, { ...entry, organization, details: { invited, role } });
    return 'done';
  },
);

type Joined = Readonly<{
  organization: NewOrganization['id'];
  role: Role;
  /** The address that is proven to be the person's; null when none is. */
  proves: string | null;
}>;

async function open(
  db: Db,
  organization: NewOrganization,
  { person, member, network, entry }: NewPerson,
): Promise<Joined> {
  const { id } = await addOrganization(db, organization);
  await addMember(db, {
    id: member,
    organization: id,
    person: person.id,
    role: 'org-admin',
    created: person.created,
  });
  await claimWelcome(db, { person: person.id, organization: id, network, created: entry.created });
  return { organization: id, role: 'org-admin', proves: null };
}

async function join(
  db: Db,
  digest: string,
  { person, member, entry }: NewPerson,
): Promise<Joined | 'no_invitation' | 'full'> {
  const input = { digest, person: person.id, member, now: entry.created };
  const answer = await acceptInvitation(db, input);
  if (answer === 'full') return 'full';
  return typeof answer === 'string' ? 'no_invitation' : answer;
}
