/**
 * The procedures that find what is digested or sealed under each pepper, and replace what is sealed.
 */
import { sql } from 'kysely';
import type { PersonId } from '../../shared/ids.ts';
import { type Pepper, prefixOf } from '../../shared/peppers.ts';
import { readProcedure, writeProcedure } from '../store/procedure.ts';

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

export type Sealed = Readonly<{ id: PersonId; sealed: string }>;

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
