/**
 * Signing in: an attempt is counted, the password is checked outside of the store, and a session begins where all
 * is still as it was. Somebody who is not there is told the same, after the same work.
 */
import type { PersonId } from '../../../shared/ids.ts';
import type { Db, Procedure } from '../../store/procedure.ts';
import type { PersonRow, SessionRow } from '../../store/schema/people.ts';
import { type Mark, record } from '../audit/record.ts';
import { people } from '../people/procedures.ts';
import {
  addressBlock,
  type Blocked,
  countAttempt,
  forgiveAll,
  forgiveAttempt,
  type Throttled,
} from '../people/throttle.ts';
import { beginSession } from './procedures.ts';

/** Under what an attempt was counted. */
export type Counted = Readonly<{ account: Throttled; address: Throttled }>;

export type Attempt = Readonly<{ person: PersonRow | null; counted: Counted }>;

/** Counts an attempt, and finds who it is for. */
export const beginSignIn: Procedure<
  Readonly<{
    email: string;
    /** The account as everybody tries it, and from this address by somebody who has a session from there. */
    account: Throttled;
    accountFromHere: Throttled;
    address: Throttled;
    /** An address block. */
    from: string;
    mark: Mark;
  }>,
  Attempt | Blocked
> = {
  name: 'beginSignIn',
  access: 'write',
  async run(db, { email, account, accountFromHere, address, from, mark }) {
    const person = await people(db).selectAll().where('email', '=', email).executeTakeFirst();
    const isKnownHere = await hasSessionFrom(db, person?.id ?? null, from);
    const counted = { account: isKnownHere ? accountFromHere : account, address };
    const blocked = await countAttempt(db, [counted.account, counted.address], mark.created);
    if (!blocked) return { person: person ?? null, counted };
    await noteBlocked(db, blocked, { ...mark, target: person?.id ?? null });
    return blocked;
  },
};

/** Once in its window. */
async function noteBlocked(db: Db, { blocked, first }: Blocked, mark: Mark): Promise<void> {
  if (!first) return;
  await record(db, { ...mark, action: 'session.throttled', details: { throttle: blocked } });
}

/** Asked for nobody, too: who is there is not to be told by how long this takes. */
async function hasSessionFrom(db: Db, person: PersonId | null, from: string): Promise<boolean> {
  const own = await db
    .selectFrom('sessions')
    .select('address')
    .where('person', '=', person ?? ('' as PersonId))
    .execute();
  return own.some(({ address }) => addressBlock(address) === from);
}

/** The password was right: what was counted against them was not theirs. */
export const forgiveSignIn: Procedure<Counted, null> = {
  name: 'forgiveSignIn',
  access: 'write',
  async run(db, counted) {
    await forgive(db, counted);
    return null;
  },
};

async function forgive(db: Db, { account, address }: Counted): Promise<void> {
  await forgiveAll(db, account);
  await forgiveAttempt(db, address);
}

/** What was sent in place of a code, as it can be looked up. */
export type Proof = Readonly<{ step: bigint | null; recovery: string; codes: Throttled }>;

/** `changed`: the password or the second factor is another by now. */
export const completeSignIn: Procedure<
  Readonly<{
    person: Pick<PersonRow, 'id' | 'password_hash' | 'totp_secret'>;
    /** Null: they have no second factor. */
    proof: Proof | null;
    session: SessionRow;
    presented: string | null;
    counted: Counted;
    mark: Mark;
  }>,
  'done' | 'wrong_code' | 'changed' | Blocked
> = {
  name: 'completeSignIn',
  access: 'write',
  async run(db, { person, proof, session, presented, counted, mark }) {
    const now = await people(db).selectAll().where('id', '=', person.id).executeTakeFirst();
    if (now?.password_hash !== person.password_hash) return 'changed';
    const isNeeded = now.totp_step !== null;
    if (isNeeded && (!proof || now.totp_secret !== person.totp_secret)) return 'changed';
    await forgive(db, counted);
    if (isNeeded && proof) {
      const answer = await prove(db, person.id, proof, mark.created);
      if (typeof answer === 'object') {
        const nobody = { kind: 'nobody', id: null } as const;
        await noteBlocked(db, answer, { ...mark, actor: nobody, target: person.id });
      }
      if (answer !== 'done') return answer;
    }
    await beginSession(db, session, presented);
    await record(db, mark);
    return 'done';
  },
};

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

/** A code is accepted once, and none of a step before it. */
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
    .set({ used: BigInt(Math.round(now)) })
    .where('digest', '=', digest)
    .where('person', '=', person)
    .where('used', 'is', null)
    .returning('digest')
    .executeTakeFirst();
  return used !== undefined;
}
