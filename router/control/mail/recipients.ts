/**
 * Finds an email's recipient at the time of sending. People who have left, are erased, or have
 * switched emails of its kind off get no email.
 */
import type { PersonId } from '../../../shared/ids.ts';
import type { UnsentReason } from '../../../shared/jobs.ts';
import { enqueueAll } from '../../jobs/queue.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, writeProcedure } from '../../store/procedure.ts';
import { currentMembers } from '../members/current.ts';
import { PERMISSIONS } from '../permissions.ts';
import { type IncidentNews, readIncidentLetter } from './incident-letters.ts';
import {
  type IncidentBatch,
  type IncidentLetter,
  type Letter,
  LETTER,
  type OrganizationLetter,
} from './letter.ts';
import { insertLink, type LinkPurpose, LINKS } from './links.ts';
import { isMuted } from './muted.ts';

/**
 * An email to several people is copied into one job per recipient, so that a retry for one
 * recipient does not repeat the others.
 */
export type Sending = Letter | IncidentBatch | Copy;
type ToSeveral = OrganizationLetter | IncidentLetter;
export type Copy = ToSeveral & Readonly<{ recipient: PersonId }>;

/** An email's recipient, and the facts that its text needs in addition to the email itself. */
export type Addressed = Readonly<{
  to: string;
  name: string | null;
  organization: string | null;
  /** Only of an email about an incident. */
  news?: IncidentNews;
}>;

const RECIPIENTS_MAX = 100;

type Recipient = Addressed & Readonly<{ until?: number }>;

/**
 * Returns the recipient and stores the email's link, if any. Returns the reason when there is nobody
 * to write to, or when the email was withdrawn after its job had begun.
 */
export const addressLetter = writeProcedure<
  Readonly<{
    job: string;
    letter: ToOne;
    link: Readonly<{ digest: string; purpose: LinkPurpose }> | null;
    now: number;
  }>,
  Addressed | UnsentReason
>('addressLetter', async (db, { job, letter, link, now }) => {
  if (!(await isQueued(db, job))) return 'withdrawn';
  const found = await recipientOf(db, letter, now);
  if (typeof found === 'string') return found;
  const { until, ...addressed } = found;
  if (link) {
    const subject = 'invitation' in letter ? letter.invitation : personOf(letter);
    if (subject === null)
      throw new Error(`the link of an email of kind ${letter.kind} has no subject`);
    const lastsMs = LINKS[link.purpose].lastsMs;
    const expires = lastsMs === null ? (until ?? now) : now + lastsMs;
    await insertLink(db, { ...link, subject, email: found.to }, { created: now, expires });
  }
  return addressed;
});

type ToOne = Exclude<Letter, ToSeveral> | Copy;

async function isQueued(db: Db, job: string): Promise<boolean> {
  const row = await db.selectFrom('jobs').select('id').where('id', '=', job).executeTakeFirst();
  return row !== undefined;
}

function personOf(letter: ToOne): PersonId | null {
  if ('recipient' in letter) return letter.recipient;
  return 'person' in letter ? letter.person : null;
}

async function recipientOf(db: Db, letter: ToOne, now: number): Promise<Recipient | UnsentReason> {
  if (letter.kind === 'invitation') return invitedOf(db, letter.invitation, now);
  if (letter.kind === 'incident') return readIncidentLetter(db, letter);
  if ('recipient' in letter) return memberOf(db, letter);
  if (letter.person === null) return 'no_account';
  const person = await db
    .selectFrom('people')
    .select(['email', 'name', 'email_confirmed', 'locked_at'])
    .where('id', '=', letter.person)
    .where('erased', 'is', null)
    .executeTakeFirst();
  if (!person) return 'account_deleted';
  const { email, name } = person;
  // No link leads into an account that an operator has locked.
  if (person.locked_at !== null && letter.kind in LINKS) return 'account_locked';
  if (letter.kind === 'email-changed') return { to: letter.email, name, organization: null };
  if (letter.kind !== 'confirm-email') return { to: email, name, organization: null };
  const isDone = letter.email === email && person.email_confirmed !== null;
  // Do not use the name: the address may be a stranger's, whose email must not contain somebody
  // else's text.
  return isDone ? 'address_settled' : { to: letter.email, name: null, organization: null };
}

async function invitedOf(
  db: Db,
  invitation: Extract<Letter, { kind: 'invitation' }>['invitation'],
  now: number,
): Promise<Recipient | UnsentReason> {
  const row = await db
    .selectFrom('invitations')
    .innerJoin('organizations', 'organizations.id', 'invitations.organization')
    .select([
      'invitations.email',
      'invitations.state',
      'invitations.expires',
      'organizations.name',
      'organizations.deleted',
    ])
    .where('invitations.id', '=', invitation)
    .executeTakeFirst();
  // Invitations that expired long ago are deleted.
  if (!row) return 'invitation_expired';
  if (row.deleted !== null) return 'organization_deleted';
  if (row.state !== 'open') return `invitation_${row.state}`;
  if (row.expires <= milliseconds(now)) return 'invitation_expired';
  return { to: row.email, name: null, organization: row.name, until: Number(row.expires) };
}

async function memberOf(
  db: Db,
  { organization, recipient, kind }: OrganizationLetter & Readonly<{ recipient: PersonId }>,
): Promise<Recipient | UnsentReason> {
  const row = await whoBills(db, organization)
    .select([
      'people.email',
      'people.name',
      'people.muted_emails',
      'organizations.name as organization',
    ])
    .where('people.id', '=', recipient)
    .executeTakeFirst();
  if (!row) return 'not_in_charge';
  if (isMuted(row, kind)) return 'switched_off';
  return { to: row.email, name: row.name, organization: row.organization };
}

/**
 * Queues a copy of an organization's email for each recipient, at most `RECIPIENTS_MAX`. Returns how
 * many there are.
 */
export const copyLetter = writeProcedure<
  Readonly<{ letter: OrganizationLetter; idempotencyKey: string; now: number }>,
  number
>('copyLetter', async (db, { letter, idempotencyKey, now }) => {
  const people = await readBillingPeople(db, letter.organization);
  const copies = people.map(({ id }) => ({
    kind: LETTER,
    subject: id,
    idempotencyKey: `${idempotencyKey}/${id}`,
    payload: { ...letter, recipient: id } satisfies Copy,
    created: now,
  }));
  await enqueueAll(db, copies);
  return people.length;
});

/** For procedures: the people who get an organization's emails, at most `RECIPIENTS_MAX`. */
export async function readBillingPeople(
  db: Db,
  organization: OrganizationLetter['organization'],
): Promise<readonly Readonly<{ id: PersonId; email: string }>[]> {
  return await whoBills(db, organization)
    .select(['people.id', 'people.email'])
    .orderBy('people.id')
    .limit(RECIPIENTS_MAX)
    .execute();
}

function whoBills(db: Db, organization: OrganizationLetter['organization']) {
  return currentMembers(db, organization)
    .innerJoin('people', 'people.id', 'members.person')
    .innerJoin('organizations', 'organizations.id', 'members.organization')
    .where('members.role', 'in', PERMISSIONS.billing)
    .where('people.erased', 'is', null)
    .where('organizations.deleted', 'is', null);
}
