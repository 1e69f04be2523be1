/**
 * Signing in with a passkey. One transaction counts the attempt, the signature is verified outside
 * the store, and a second transaction uses up the challenge and begins the session.
 */
import type { PasskeyId, PersonId } from '../../../shared/ids.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { writeProcedure } from '../../store/procedure.ts';
import type { PasskeyRow, SessionRow } from '../../store/schema/people.ts';
import { type AuditEntry, record } from '../audit/record.ts';
import { lockPerson } from '../people/procedures.ts';
import { type Blocked, countAttempt } from '../people/throttle.ts';
import { type Counted, forgive, letIn, noteBlocked } from '../sessions/sign-in.ts';
import { useChallenge } from './challenges.ts';

export type FoundPasskey = Pick<PasskeyRow, 'id' | 'person' | 'public_key'>;

/** Counts an attempt, and finds its passkey. Null: nobody has this credential. */
export const beginPasskeySignIn = writeProcedure<
  Readonly<{ credential: string; counted: Counted; entry: AuditEntry }>,
  Readonly<{ passkey: FoundPasskey | null }> | Blocked
>('beginPasskeySignIn', async (db, { credential, counted, entry }) => {
  const passkey = await db
    .selectFrom('passkeys')
    .select(['id', 'person', 'public_key'])
    .where('credential', '=', credential)
    .executeTakeFirst();
  const blocked = await countAttempt(db, [counted.account, counted.address], entry.created);
  if (!blocked) return { passkey: passkey ?? null };
  await noteBlocked(db, blocked, { ...entry, target: passkey?.person ?? null });
  return blocked;
});

/**
 * Begins the session. A passkey verifies its user, so no code is asked for. `gone`: the passkey or
 * the person was removed meanwhile. `used`: the challenge was used before. `copied`: the counter of
 * the authenticator has not gone up, so another one may have the same key. `locked`: an operator has
 * locked the account.
 */
export const completePasskeySignIn = writeProcedure<
  Readonly<{
    passkey: PasskeyId;
    person: PersonId;
    counter: number;
    challenge: string;
    session: SessionRow;
    presented: string | null;
    counted: Counted;
    entry: AuditEntry;
  }>,
  'done' | 'gone' | 'used' | 'locked' | 'copied'
>('completePasskeySignIn', async (db, input) => {
  const { passkey, person, challenge, session, presented, counted, entry } = input;
  const counter = BigInt(input.counter);
  // Locks the row, so that the session of an account that is being locked does not outlive this.
  const owner = await lockPerson(db, person);
  const last = await db
    .selectFrom('passkeys')
    .select('counter')
    .where('id', '=', passkey)
    .where('person', '=', person)
    .executeTakeFirst();
  if (!owner || !last) return 'gone';
  if (!(await useChallenge(db, challenge, entry.created))) return 'used';
  if ((counter > 0n || last.counter > 0n) && counter <= last.counter) {
    const actor = { kind: 'nobody', id: null } as const;
    const details = { passkey };
    await record(db, { ...entry, actor, action: 'passkey.refuse', target: person, details });
    return 'copied';
  }
  const isLocked = owner.locked_at !== null;
  await db
    .updateTable('passkeys')
    .set({ counter, ...(!isLocked && { last_used: milliseconds(entry.created) }) })
    .where('id', '=', passkey)
    .execute();
  await forgive(db, counted);
  if (isLocked) return 'locked';
  await letIn(db, { session, presented, entry });
  return 'done';
});
