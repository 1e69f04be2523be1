/**
 * Signing in. One transaction counts the attempt, the password is checked outside the store, and a
 * second transaction begins the session if nothing has changed meanwhile. An unknown address gets
 * the same answer after the same work.
 */
import type { PersonId } from '../../../shared/ids.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, writeProcedure } from '../../store/procedure.ts';
import type { PersonRow, SessionRow } from '../../store/schema/people.ts';
import { type AuditEntry, record } from '../audit/record.ts';
import { lockPerson, people } from '../people/procedures.ts';
import {
  addressBlock,
  type Blocked,
  countAttempt,
  forgiveAll,
  forgiveAttempt,
  type Throttled,
} from '../people/throttle.ts';
import { beginSession } from './procedures.ts';

/** The throttles that an attempt was counted under. */
export type Counted = Readonly<{ account: Throttled; address: Throttled }>;

export type Attempt = Readonly<{ person: PersonRow | null; counted: Counted }>;

/** Counts an attempt, and finds its person. `person` is null when nobody has the address. */
export const beginSignIn = writeProcedure<
  Readonly<{
    email: string;
    /**
     * The throttle of the account for everybody (`account`), and for attempts from an address from
     * which the person has a session (`accountFromHere`).
     */
    account: Throttled;
    accountFromHere: Throttled;
    address: Throttled;
    /** The client's address block. */
    from: string;
    entry: AuditEntry;
  }>,
  Attempt | Blocked
>('beginSignIn', async (db, { email, account, accountFromHere, address, from, entry }) => {
  const person = await people(db).selectAll().where('email', '=', email).executeTakeFirst();
  const isKnownHere = await hasSessionFrom(db, person?.id ?? null, from);
  const counted = { account: isKnownHere ? accountFromHere : account, address };
  const blocked = await countAttempt(db, [counted.account, counted.address], entry.created);
  if (!blocked) return { person: person ?? null, counted };
  await noteBlocked(db, blocked, { ...entry, target: person?.id ?? null });
  return blocked;
});

/** For procedures: records only the first refusal in each window. */
export async function noteBlocked(
  db: Db,
  { blocked, first }: Blocked,
  entry: AuditEntry,
): Promise<void> {
  if (!first) return;
  await record(db, { ...entry, action: 'session.throttled', details: { throttle: blocked } });
}

/** Queries even when there is no person, so that the duration does not reveal it. */
async function hasSessionFrom(db: Db, person: PersonId | null, from: string): Promise<boolean> {
  const own = await db
    .selectFrom('sessions')
    .select('address')
    .where('person', '=', person ?? ('' as PersonId))
    .execute();
  return own.some(({ address }) => addressBlock(address) === from);
}

/**
 * The password was right, so the account's count is cleared, and this attempt is subtracted from
 * the address's count.
 */
export const forgiveSignIn = writeProcedure<Counted, null>('forgiveSignIn', async (db, counted) => {
  await forgive(db, counted);
  return null;
});

/** For procedures: as `forgiveSignIn`. */
export async function forgive(db: Db, { account, address }: Counted): Promise<void> {
  await forgiveAll(db, account);
  await forgiveAttempt(db, address);
}

/** The code that was sent, as a time step or as the digest of a recovery code. */
export type Proof = Readonly<{ step: bigint | null; recovery: string; codes: Throttled }>;

/**
 * Begins the session. `changed`: the password or the second factor has changed since it was
 * checked. `locked`: the account has been locked since then.
 */
export const completeSignIn = writeProcedure<
  Readonly<{
    person: Pick<PersonRow, 'id' | 'password_hash' | 'totp_secret'>;
    /** Null when no code was sent. */
    proof: Proof | null;
    session: SessionRow;
    presented: string | null;
    counted: Counted;
    entry: AuditEntry;
  }>,
  'done' | 'wrong_code' | 'changed' | 'locked' | Blocked
>('completeSignIn', async (db, { person, proof, session, presented, counted, entry }) => {
  // Locks the row, so that the session of an account that is being locked does not outlive this.
  const now = await lockPerson(db, person.id);
  if (now?.password_hash !== person.password_hash) return 'changed';
  if (now.locked_at !== null) return 'locked';
  const isNeeded = now.totp_step !== null;
  if (isNeeded && (!proof || now.totp_secret !== person.totp_secret)) return 'changed';
  await forgive(db, counted);
  if (isNeeded && proof) {
    const answer = await prove(db, person.id, proof, entry.created);
    if (typeof answer === 'object') {
      const nobody = { kind: 'nobody', id: null } as const;
      await noteBlocked(db, answer, { ...entry, actor: nobody, target: person.id });
    }
    if (answer !== 'done') return answer;
  }
  await letIn(db, { session, presented, entry });
  return 'done';
});

/** For procedures: begins the session of a person who has proven who they are. */
export async function letIn(
  db: Db,
  {
    session,
    presented,
    entry,
  }: Readonly<{ session: SessionRow; presented: string | null; entry: AuditEntry }>,
): Promise<void> {
  await beginSession(db, session, presented);
  await db
    .updateTable('people')
    .set({ last_sign_in: milliseconds(entry.created) })
    .where('id', '=', session.person)
    .execute();
  await record(db, entry);
}

async function prove(
  db: Db,
  person: PersonId,
  { step, recovery, codes }: Proof,
  now: number,
): Promise<'done' | 'wrong_code' | Blocked> {
  const blocked = await countAttempt(db, [codes], now);
  if (blocked) return blocked;
  const isRight =
    step === null
      ? await useRecoveryCode(db, person, recovery, now)
      : await acceptStep(db, person, step);
  if (!isRight) return 'wrong_code';
  await forgiveAll(db, codes);
  return 'done';
}

/** Accepts each code once, and no code of an earlier step after it. */
async function acceptStep(db: Db, person: PersonId, step: bigint): Promise<boolean> {
  const accepted = await db
    .updateTable('people')
    .set({ totp_step: step })
    .where('id', '=', person)
    .where('totp_step', '<', step)
    .returning('id')
    .executeTakeFirst();
  return accepted !== undefined;
}

async function useRecoveryCode(
  db: Db,
  person: PersonId,
  digest: string,
  now: number,
): Promise<boolean> {
  const used = await db
    .updateTable('recovery_codes')
    .set({ used: milliseconds(now) })
    .where('digest', '=', digest)
    .where('person', '=', person)
    .where('used', 'is', null)
    .returning('digest')
    .executeTakeFirst();
  return used !== undefined;
}
