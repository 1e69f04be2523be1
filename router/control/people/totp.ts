/**
 * Second factors in the store. A second factor takes effect once its first code proves that the
 * authenticator has the secret.
 */
import type { PersonId } from '../../../shared/ids.ts';
import { type Db, writeProcedure } from '../../store/procedure.ts';
import { type AuditEntry, record } from '../audit/record.ts';
import { postLetter } from '../mail/letter.ts';
import { lockPerson, people } from './procedures.ts';
import { type Blocked, countAttempt, forgiveAll, type Throttled } from './throttle.ts';

/**
 * Stores a secret that is not confirmed yet. `on`: a confirmed second factor exists and must be
 * removed first.
 */
export const beginTotp = writeProcedure<
  Readonly<{ person: PersonId; sealed: string; entry: AuditEntry }>,
  'done' | 'on'
>('beginTotp', async (db, { person, sealed, entry }) => {
  const begun = await db
    .updateTable('people')
    .set({ totp_secret: sealed })
    .where('id', '=', person)
    .where('totp_step', 'is', null)
    .where('erased', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!begun) return 'on';
  await record(db, entry);
  return 'done';
});

/**
 * Turns the second factor on. `step` is null when the code is wrong. `none`: there is nothing to
 * confirm.
 */
export const confirmTotp = writeProcedure<
  Readonly<{
    person: PersonId;
    sealed: string | null;
    step: bigint | null;
    codes: Throttled;
    recovery: readonly string[];
    entry: AuditEntry;
  }>,
  'done' | 'none' | 'wrong_code' | Blocked
>('confirmTotp', async (db, { person, sealed, step, codes, recovery, entry }) => {
  const row = await people(db)
    .select(['totp_secret', 'totp_step'])
    .where('id', '=', person)
    .executeTakeFirst();
  if (!row || sealed === null || row.totp_secret !== sealed || row.totp_step !== null) {
    return 'none';
  }
  const blocked = await countAttempt(db, [codes], entry.created);
  if (blocked) return blocked;
  if (step === null) return 'wrong_code';
  await forgiveAll(db, codes);
  await db.updateTable('people').set({ totp_step: step }).where('id', '=', person).execute();
  await dropRecoveryCodes(db, person);
  await db
    .insertInto('recovery_codes')
    .values(recovery.map((digest) => ({ digest, person, used: null })))
    .execute();
  await tell(db, person, true, entry);
  return 'done';
});

/**
 * Removes a second factor, confirmed or not. `none`: there is no second factor, or no such person.
 */
export const removeTotp = writeProcedure<
  Readonly<{ person: PersonId; entry: AuditEntry }>,
  'done' | 'none'
>('removeTotp', async (db, { person, entry }) => {
  const before = await lockPerson(db, person);
  if (!before || before.totp_secret === null) return 'none';
  const none = { totp_secret: null, totp_step: null };
  await db.updateTable('people').set(none).where('id', '=', person).execute();
  await dropRecoveryCodes(db, person);
  // An unconfirmed second factor never required a code, so its removal needs no email.
  if (before.totp_step === null) await record(db, entry);
  else await tell(db, person, false, entry);
  return 'done';
});

/**
 * Records the change and emails the person, so that a change by somebody else does not go
 * unnoticed.
 */
async function tell(db: Db, person: PersonId, on: boolean, entry: AuditEntry): Promise<void> {
  const posted = { occasion: entry.request, created: entry.created };
  await postLetter(db, { kind: 'second-factor-changed', person, on }, posted);
  await record(db, entry);
}

async function dropRecoveryCodes(db: Db, person: PersonId): Promise<void> {
  await db.deleteFrom('recovery_codes').where('person', '=', person).execute();
}
