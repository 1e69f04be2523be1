/**
 * Counts what is digested or sealed under each pepper. An old pepper can be removed from the
 * secrets file when nothing depends on it any more.
 */
import { sql } from 'kysely';
import type { PersonId } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import { type Pepper, pepperOf, type Peppers, prefixOf } from '../../shared/peppers.ts';
import type { Random } from '../../shared/random.ts';
import { ConfigError } from '../config.ts';
import { sealAgain } from '../control/people/second-factor.ts';
import { readSecrets } from '../secrets.ts';
import { openStoreReadOnly } from '../store/open-store.ts';
import { readProcedure, writeProcedure } from '../store/procedure.ts';
import type { Store, StoreParts } from '../store/store.ts';
import { REGISTRY, type Where } from './open.ts';

/** The tables that have digests, each with the condition for rows that can still be used. */
const DIGESTS = {
  keys: `state <> 'deleted'`,
  management_tokens: 'revoked is null',
  operator_tokens: '1 = 1',
  sessions: '1 = 1',
  links: 'used is null',
  join_tokens: 'used is null',
  recovery_codes: 'used is null',
} as const;

const ROWS_AT_ONCE = 100;

export type PepperUse = Readonly<{ table: string; tag: string; rows: number }>;

/**
 * Counts the rows under each pepper. A tagged pepper is found by its prefix; all rows without a
 * prefix count for the pepper without a tag.
 */
export const countPepperUse = readProcedure<readonly Pepper[], readonly PepperUse[]>(
  'countPepperUse',
  { heavy: true },
  async (db, peppers) => {
    const uses: PepperUse[] = [];
    const columns = [
      ...Object.entries(DIGESTS).map(([table, live]) => [table, 'digest', live] as const),
      ['people', 'totp_secret', 'totp_secret is not null'] as const,
    ];
    for (const [table, column, live] of columns) {
      for (const pepper of peppers) {
        // Digests and sealed values have a dot only behind the tag of a pepper.
        const pattern = pepper.isTagged ? `${prefixOf(pepper)}%` : '%.%';
        const like = pepper.isTagged ? sql.raw('like') : sql.raw('not like');
        const { rows } = await sql<{ count: bigint | number }>`
          select count(*) as count from ${sql.table(table)}
          where ${sql.ref(column)} ${like} ${pattern} and ${sql.raw(live)}`.execute(db);
        uses.push({ table, tag: pepper.tag, rows: Number(rows[0]?.count ?? 0) });
      }
    }
    return uses;
  },
);

/** Counts the rows for each pepper of a secrets file, the newest first. */
export async function pepperUseIn(where: Where, parts: StoreParts): Promise<readonly PepperUse[]> {
  const secrets = await readSecrets(where.secrets);
  if (secrets === null) throw new ConfigError(`secrets: there is no ${where.secrets}`);
  await using store = await openStoreReadOnly({ url: where.store, registry: REGISTRY }, parts);
  return await store.call(countPepperUse, secrets.peppers);
}

type Sealed = Readonly<{ id: PersonId; sealed: string }>;

/** Lists second factors, which are sealed, by the id of their person. */
export const listSealed = readProcedure<Readonly<{ after: string }>, readonly Sealed[]>(
  'listSealed',
  async (db, { after }) => {
    const rows = await db
      .selectFrom('people')
      .select(['id', 'totp_secret as sealed'])
      .where('totp_secret', 'is not', null)
      .where('id', '>', after as PersonId)
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .execute();
    return rows as Sealed[];
  },
);

export const replaceSealed = writeProcedure<Sealed & Readonly<{ to: string }>, null>(
  'replaceSealed',
  async (db, { id, sealed, to }) => {
    await db
      .updateTable('people')
      .set({ totp_secret: to })
      .where('id', '=', id)
      .where('totp_secret', '=', sealed)
      .execute();
    return null;
  },
);

type SealParts = Readonly<{ pepper: Peppers; random: Random; log: Log }>;

/**
 * Seals every second factor again under the newest pepper, which needs no sign-in of its person.
 * Does nothing if there is only one pepper.
 */
export async function sealAllAgain(store: Pick<Store, 'call'>, parts: SealParts): Promise<void> {
  if (parts.pepper.all.length === 1) return;
  for (let after = ''; ; ) {
    const rows = await store.call(listSealed, { after });
    for (const row of rows) {
      if (pepperOf(parts.pepper, row.sealed) === null) continue;
      const to = sealedAgain(parts, row);
      if (to !== null) await store.call(replaceSealed, { ...row, to });
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** Null: there is nothing to do, or the secret is damaged. Damage must not prevent a start. */
function sealedAgain(parts: SealParts, row: Sealed): string | null {
  try {
    return sealAgain(parts, row);
  } catch (error) {
    const about = { person: row.id, err: error };
    parts.log.error(
      about,
      'failed to encrypt a second factor under the newest pepper: the stored secret is damaged',
    );
    return null;
  }
}
