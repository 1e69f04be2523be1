/**
 * Finds the digest under which the store has a secret. With one pepper there is only one candidate.
 * During a pepper rotation, digests under an older pepper are still found, and long-lived secrets
 * are digested again under the newest.
 */
import type { Log } from '../../../shared/log.ts';
import { digestsOf } from '../../../shared/peppers.ts';
import { readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { Store } from '../../store/store.ts';
import type { ControlParts } from '../parts.ts';

export type DigestParts = Pick<ControlParts, 'store' | 'pepper'>;

/** The tables that store digests of secrets. */
export type DigestTable =
  | 'join_tokens'
  | 'keys'
  | 'links'
  | 'management_tokens'
  | 'operator_tokens'
  | 'recovery_codes'
  | 'sandbox_checkouts'
  | 'sessions';

/**
 * Long-lived secrets, which are digested again when they are used. The others are used once, or
 * expire within weeks.
 */
const DIGESTED_AGAIN: readonly DigestTable[] = [
  'keys',
  'management_tokens',
  'operator_tokens',
  'sessions',
];

/**
 * Returns the digest to look this secret up by: the stored one, or that of the newest pepper when
 * none is stored.
 */
export async function digestIn(
  { store, pepper }: DigestParts,
  table: DigestTable,
  secret: string,
): Promise<string> {
  const [newest, ...older] = digestsOf(pepper, secret);
  if (older.length === 0) return newest;
  const found = await store.call(findDigest, { table, digests: [newest, ...older] });
  if (found === null || found === newest || !DIGESTED_AGAIN.includes(table)) return found ?? newest;
  await store.call(digestAgain, { table, from: found, to: newest });
  return newest;
}

export const findDigest = readProcedure<
  Readonly<{ table: DigestTable; digests: readonly string[] }>,
  string | null
>('findDigest', async (db, { table, digests }) => {
  const query = db.selectFrom(table).select('digest').where('digest', 'in', digests);
  return (await query.executeTakeFirst())?.digest ?? null;
});

/**
 * Digests keys again for the data plane, which does not wait for it. A failure is logged, and the
 * key's next use tries again.
 */
export function digestKeysAgain(
  store: Pick<Store, 'call'>,
  log: Log,
): (from: string, to: string) => void {
  return (from, to) => {
    store.call(digestAgain, { table: 'keys', from, to }).catch((error: unknown) => {
      log.warn(
        { err: error },
        'failed to replace the digest of a key by one under the newest pepper',
      );
    });
  };
}

/** Replaces a secret's digest with its digest under another pepper. */
export const digestAgain = writeProcedure<
  Readonly<{ table: DigestTable; from: string; to: string }>,
  null
>('digestAgain', async (db, { table, from, to }) => {
  await db.updateTable(table).set({ digest: to }).where('digest', '=', from).execute();
  return null;
});
