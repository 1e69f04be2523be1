/**
 * Under which digest a secret stands in the store. With one pepper there is only one it can be; while one pepper takes
 * the place of another, what was digested under the older one is found, and what lasts is digested again.
 */
import type { Log } from '../../../shared/log.ts';
import { digestsOf, type Peppers } from '../../../shared/peppers.ts';
import type { Procedure } from '../../store/procedure.ts';
import type { Store } from '../../store/store.ts';

export type DigestParts = Readonly<{ store: Pick<Store, 'call'>; pepper: Peppers }>;

/** Where digests of secrets stand that somebody presents. */
export type DigestTable =
  | 'join_tokens'
  | 'keys'
  | 'links'
  | 'management_tokens'
  | 'operator_tokens'
  | 'recovery_codes'
  | 'sandbox_checkouts'
  | 'sessions';

/** What is used for long is digested again when it is used; the rest is used once, or expires within weeks. */
const DIGESTED_AGAIN: readonly DigestTable[] = [
  'keys',
  'management_tokens',
  'operator_tokens',
  'sessions',
];

/** The digest under which this secret is to be looked up: that of the newest pepper where it stands under none. */
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

export const findDigest: Procedure<
  Readonly<{ table: DigestTable; digests: readonly string[] }>,
  string | null
> = {
  name: 'findDigest',
  access: 'read',
  async run(db, { table, digests }) {
    const query = db.selectFrom(table).select('digest').where('digest', 'in', digests);
    return (await query.executeTakeFirst())?.digest ?? null;
  },
};

/** For the data plane, which waits for nothing: what could not be digested again is the next time. */
export function digestKeysAgain(
  store: Pick<Store, 'call'>,
  log: Log,
): (from: string, to: string) => void {
  return (from, to) => {
    store.call(digestAgain, { table: 'keys', from, to }).catch((error: unknown) => {
      log.warn({ error: String(error) }, 'a key was not digested again');
    });
  };
}

/** The same secret under another pepper. */
export const digestAgain: Procedure<
  Readonly<{ table: DigestTable; from: string; to: string }>,
  null
> = {
  name: 'digestAgain',
  access: 'write',
  async run(db, { table, from, to }) {
    await db.updateTable(table).set({ digest: to }).where('digest', '=', from).execute();
    return null;
  },
};
