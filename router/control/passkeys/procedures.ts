/** Adds, lists, renames and removes a person's passkeys. */
import { PASSKEYS_MAX } from '../../../shared/bounds/passkeys.ts';
import type { PasskeyId, PersonId } from '../../../shared/ids.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { PasskeyRow } from '../../store/schema/people.ts';
import { type AuditEntry, record } from '../audit/record.ts';
import { postLetter } from '../mail/letter.ts';
import { type ListQuery, type Page, readPage } from '../pages.ts';
import { lockPerson } from '../people/procedures.ts';
import { useChallenge } from './challenges.ts';
import { countPasskeys } from './stored.ts';

const LISTED = ['id', 'name', 'created', 'last_used'] as const;
export type ListedPasskey = Pick<PasskeyRow, (typeof LISTED)[number]>;

export const listPasskeys = readProcedure<
  ListQuery<PasskeyId> & Readonly<{ person: PersonId }>,
  Page<ListedPasskey, PasskeyId>
>('listPasskeys', async (db, { person, ...asked }) => {
  return await readPage(
    db.selectFrom('passkeys').select(LISTED).where('person', '=', person),
    'id',
    asked,
  );
});

/** The ids that authenticators have given to a person's passkeys. */
export const findCredentials = readProcedure<PersonId, readonly string[]>(
  'findCredentials',
  async (db, person) => {
    const rows = await db
      .selectFrom('passkeys')
      .select('credential')
      .where('person', '=', person)
      .orderBy('id')
      .execute();
    return rows.map(({ credential }) => credential);
  },
);

/**
 * Adds a passkey, and tells the person by email. `used`: the challenge was used before. `known`:
 * somebody has this credential. `full`: the person has as many passkeys as allowed. `changed`: the
 * password is another one now, the person is erased, an operator has locked the account, or its
 * address is not proven.
 */
export const addPasskey = writeProcedure<
  Readonly<{ passkey: PasskeyRow; passwordHash: string; challenge: string; entry: AuditEntry }>,
  'done' | 'used' | 'known' | 'full' | 'changed'
>('addPasskey', async (db, { passkey, passwordHash, challenge, entry }) => {
  const { person } = passkey;
  const owner = await lockPerson(db, person);
  if (owner?.password_hash !== passwordHash) return 'changed';
  if (owner.locked_at !== null || owner.email_confirmed === null) return 'changed';
  if ((await countPasskeys(db, person)) >= PASSKEYS_MAX) return 'full';
  if (!(await useChallenge(db, challenge, entry.created))) return 'used';
  const added = await db
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!added) return 'known';
  await tell(db, person, true, entry);
  return 'done';
});

/** Renames a passkey. Returns null when the person has no such passkey. */
export const renamePasskey = writeProcedure<
  Readonly<{ person: PersonId; passkey: PasskeyId; name: string; entry: AuditEntry }>,
  ListedPasskey | null
>('renamePasskey', async (db, { person, passkey, name, entry }) => {
  const renamed = await db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', passkey)
    .where('person', '=', person)
    .returning(LISTED)
    .executeTakeFirst();
  if (!renamed) return null;
  await record(db, entry);
  return renamed;
});

/** Removes a passkey, and tells the person by email. `unknown`: the person has no such passkey. */
export const removePasskey = writeProcedure<
  Readonly<{ person: PersonId; passkey: PasskeyId; entry: AuditEntry }>,
  'done' | 'unknown'
>('removePasskey', async (db, { person, passkey, entry }) => {
  const removed = await db
    .deleteFrom('passkeys')
    .where('id', '=', passkey)
    .where('person', '=', person)
    .returning('id')
    .executeTakeFirst();
  if (!removed) return 'unknown';
  await tell(db, person, false, entry);
  return 'done';
});

/**
 * Records the change and emails the person, so that a change by somebody else does not go
 * unnoticed.
 */
async function tell(db: Db, person: PersonId, added: boolean, entry: AuditEntry): Promise<void> {
  const posted = { occasion: entry.request, created: entry.created };
  await postLetter(db, { kind: 'passkeys-changed', person, added }, posted);
  await record(db, entry);
}
