/**
 * Changes that people make to their accounts. Each change requires proof of identity again; another
 * confirmation of the present address changes nothing.
 */
import type { PersonId, SessionId } from '../../../shared/ids.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import { type AuditEntry, record } from '../audit/record.ts';
import { endLinksInto, postLetter } from '../mail/letter.ts';
import { useLink } from '../mail/links.ts';
import { countPasskeys } from '../passkeys/stored.ts';
import { endSessionsOf } from '../sessions/procedures.ts';
import { rotateSessionsOf } from '../sessions/rotate.ts';
import { giveWelcome, type Welcome } from '../welcome/grant.ts';
import { endUnproven } from './first-proof.ts';
import { emailIsTaken, people } from './procedures.ts';
import { type Blocked, countAttempt, forgiveAll, type Throttled } from './throttle.ts';

/** Counts an attempt at the password of a signed-in person. */
export const countProof = writeProcedure<
  Readonly<{ attempt: Throttled; now: number }>,
  Blocked | null
>('countProof', (db, { attempt, now }) => countAttempt(db, [attempt], now));

export const forgiveProof = writeProcedure<Throttled, null>('forgiveProof', async (db, attempt) => {
  await forgiveAll(db, attempt);
  return null;
});

/** Changes a password. `changed`: the verified password is not the current one any more. */
export const changePassword = writeProcedure<
  Readonly<{
    person: PersonId;
    from: string;
    to: string;
    /** The session of the request. It continues with a new token; all others end. */
    session: SessionId | null;
    entry: AuditEntry;
  }>,
  'done' | 'changed'
>('changePassword', async (db, { person, from, to, session, entry }) => {
  const changed = await db
    .updateTable('people')
    .set({ password_hash: to })
    .where('id', '=', person)
    .where('password_hash', '=', from)
    .where('erased', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!changed) return 'changed';
  await endSessionsOf(db, person, session);
  await rotateSessionsOf(db, person);
  await afterPassword(db, person, entry);
  return 'done';
});

/**
 * Invalidates links and unsent emails that were requested before, perhaps by somebody else, and
 * notifies the person.
 */
async function afterPassword(db: Db, person: PersonId, entry: AuditEntry): Promise<void> {
  await endLinksInto(db, person);
  const posted = { occasion: entry.request, created: entry.created };
  const passkeys = await countPasskeys(db, person);
  await postLetter(db, { kind: 'password-changed', person, passkeys }, posted);
  await record(db, entry);
}

/**
 * Sends a confirmation to the wanted address, unless somebody else has it. The answer does not
 * reveal which.
 */
export const askForEmail = writeProcedure<
  Readonly<{ person: PersonId; email: string; letters: Throttled; entry: AuditEntry }>,
  'done' | Blocked
>('askForEmail', async (db, { person, email, letters, entry }) => {
  const blocked = await countAttempt(db, [letters], entry.created);
  if (blocked) return blocked;
  await postConfirmation(db, { person, email }, entry);
  return 'done';
});

/**
 * Sends another confirmation to the address of the account, which is read here, so that none is sent
 * to an address that the account has just given up.
 */
export const askForConfirmation = writeProcedure<
  Readonly<{ person: PersonId; letters: Throttled; entry: AuditEntry }>,
  'done' | 'unknown' | 'confirmed' | Blocked
>('askForConfirmation', async (db, { person, letters, entry }) => {
  const account = await people(db)
    .select(['email', 'email_confirmed'])
    .where('id', '=', person)
    .executeTakeFirst();
  if (!account) return 'unknown';
  if (account.email_confirmed !== null) return 'confirmed';
  const blocked = await countAttempt(db, [letters], entry.created);
  if (blocked) return blocked;
  await postConfirmation(db, { person, email: account.email }, entry);
  return 'done';
});

/** Nothing is sent to an address that somebody else has. */
async function postConfirmation(
  db: Db,
  { person, email }: Readonly<{ person: PersonId; email: string }>,
  entry: AuditEntry,
): Promise<void> {
  if (!(await emailIsTaken(db, email, person))) {
    const posted = { occasion: entry.request, created: entry.created };
    await postLetter(db, { kind: 'confirm-email', person, email }, posted);
  }
  await record(db, entry);
}

/** `confirmed`: null if the link has not been used; `hasPassword`: the account has a password now. */
export type Confirmation = Readonly<{
  email: string;
  confirmed: Readonly<{ hasPassword: boolean }> | null;
}>;

/**
 * Returns the address of a link that can confirm it, or that has confirmed it before, without using
 * the link. Returns null for any other link.
 */
export const findConfirmation = readProcedure<
  Readonly<{ digest: string; now: number }>,
  Confirmation | null
>('findConfirmation', async (db, { digest, now }) => {
  const link = await db
    .selectFrom('links')
    .select(['email', 'subject', 'used'])
    .where('digest', '=', digest)
    .where('purpose', '=', 'confirm-email')
    .where('expires', '>', milliseconds(now))
    .executeTakeFirst();
  if (!link) return null;
  const { email, subject, used } = link;
  if (used === null) return { email, confirmed: null };
  const person = await people(db)
    .select('password_hash')
    .where('id', '=', subject as PersonId)
    .where('email', '=', email)
    .where('email_confirmed', 'is not', null)
    .executeTakeFirst();
  return person ? { email, confirmed: { hasPassword: person.password_hash !== '' } } : null;
});

/**
 * `isWelcomed`: the welcome credit was granted. `isStartedOver`: the password was cleared, and
 * everything that was made in the account ended.
 */
export type Confirmed = Readonly<{ isWelcomed: boolean; isStartedOver: boolean }>;

/**
 * Confirms an address, which becomes the account's if it is not yet; the former address is
 * notified. The first proof of an address ends everything that was made in the account before,
 * unless the request comes with a session of the account: then the same person has both. `no_link`:
 * the link is not valid. `taken`: somebody else has the address by now.
 */
export const confirmEmail = writeProcedure<
  Readonly<{ digest: string; session: string | null; entry: AuditEntry; welcome: Welcome }>,
  Confirmed | 'no_link' | 'taken'
>('confirmEmail', async (db, { digest, session, entry, welcome }) => {
  const now = entry.created;
  const link = await useLink(db, { digest, purpose: 'confirm-email', now });
  const id = link?.subject as PersonId | undefined;
  if (!link || !id) return 'no_link';
  const person = await people(db).selectAll().where('id', '=', id).executeTakeFirst();
  if (!person) return 'no_link';
  const { email } = link;
  if (welcome.email !== email) throw new Error('a link confirms a different address than before');
  if (await emailIsTaken(db, email, id)) return 'taken';
  await db
    .updateTable('people')
    .set({ email, email_confirmed: milliseconds(now) })
    .where('id', '=', id)
    .execute();
  const isFirst = person.email_confirmed === null;
  const isStartedOver = isFirst && !(await isSessionOf(db, session, id));
  const isNew = email !== person.email;
  // An email to the former address that still waits would bring that address back. What `startOver`
  // sends is not meant.
  if (isNew) await endLinksInto(db, id);
  if (isStartedOver) await startOver(db, id, entry);
  if (isNew) {
    await rotateSessionsOf(db, id);
    const letter = { kind: 'email-changed', person: id, email: person.email } as const;
    await postLetter(db, letter, { occasion: entry.request, created: now });
  }
  const actor = { kind: 'person', id } as const;
  await record(db, { ...entry, actor, target: id, details: { changed: isNew } });
  return { isWelcomed: await giveWelcome(db, id, welcome), isStartedOver };
});

/**
 * Ends everything in the account, clears its password, and sends an email by which the mailbox's
 * owner can set a new one.
 */
async function startOver(db: Db, person: PersonId, entry: AuditEntry): Promise<void> {
  await endUnproven(db, person, entry.created);
  await db.updateTable('people').set({ password_hash: '' }).where('id', '=', person).execute();
  const posted = { occasion: `${entry.request}/first-proof`, created: entry.created };
  await postLetter(db, { kind: 'reset-password', person, after: 'first-proof' }, posted);
}

async function isSessionOf(db: Db, digest: string | null, person: PersonId): Promise<boolean> {
  if (digest === null) return false;
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('digest', '=', digest)
    .where('person', '=', person)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Requests a password reset. Does the same work whether or not somebody has this address. No email
 * is sent for a locked account.
 */
export const askForReset = writeProcedure<
  Readonly<{ email: string; account: Throttled; address: Throttled; entry: AuditEntry }>,
  'done' | Blocked
>('askForReset', async (db, { email, account, address, entry }) => {
  const blocked = await countAttempt(db, [account, address], entry.created);
  if (blocked) return blocked;
  const person = await people(db)
    .select(['id', 'locked_at'])
    .where('email', '=', email)
    .executeTakeFirst();
  const posted = { occasion: entry.request, created: entry.created };
  const recipient = person?.locked_at === null ? person.id : null;
  await postLetter(db, { kind: 'reset-password', person: recipient }, posted);
  await record(db, { ...entry, target: person?.id ?? null });
  return 'done';
});

export type Resetting = Readonly<{ id: PersonId; email: string; name: string }>;

/**
 * Returns the person whose password a link can reset, without using the link. Returns null when the
 * link is not valid.
 */
export const findReset = readProcedure<Readonly<{ digest: string; now: number }>, Resetting | null>(
  'findReset',
  async (db, { digest, now }) => {
    const person = await people(db)
      .innerJoin('links', 'links.subject', 'people.id')
      .where('links.digest', '=', digest)
      .where('links.purpose', '=', 'reset-password')
      .where('links.used', 'is', null)
      .where('links.expires', '>', milliseconds(now))
      .select(['people.id', 'people.email', 'people.name'])
      .executeTakeFirst();
    return person ?? null;
  },
);

/**
 * Sets a password by link and ends all of the person's sessions. The link also proves their
 * address. `no_link`: the link is not valid.
 */
export const resetPassword = writeProcedure<
  Readonly<{
    digest: string;
    person: PersonId;
    to: string;
    /** The throttle for sign-ins to the account, which is reset. */
    account: Throttled;
    entry: AuditEntry;
    welcome: Welcome;
  }>,
  'done' | 'no_link'
>('resetPassword', async (db, { digest, person, to, account, entry, welcome }) => {
  const link = await useLink(db, { digest, purpose: 'reset-password', now: entry.created });
  if (link?.subject !== person) return 'no_link';
  const before = await people(db)
    .select(['email', 'email_confirmed'])
    .where('id', '=', person)
    .executeTakeFirst();
  if (!before) return 'no_link';
  if (before.email_confirmed === null) await endUnproven(db, person, entry.created);
  const isShown = link.email === before.email && before.email_confirmed === null;
  const email_confirmed = isShown ? milliseconds(entry.created) : before.email_confirmed;
  await db
    .updateTable('people')
    .set({ password_hash: to, email_confirmed })
    .where('id', '=', person)
    .execute();
  await endSessionsOf(db, person);
  await forgiveAll(db, account);
  await afterPassword(db, person, entry);
  if (isShown && welcome.email === link.email) await giveWelcome(db, person, welcome);
  return 'done';
});
