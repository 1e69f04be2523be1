/**
 * The procedures that find what is digested or sealed under each pepper, and replace what is sealed.
 */
import { sql } from 'kysely';
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
    /** By table and tag. */
    const uses = new Map<string, PepperUse>();
    const columns = [
      ...Object.entries(DIGESTS).map(([table, live]) => [table, 'digest', live] as const),
      ...Object.values(SEALED).map(
        ({ table, column }) => [table, column, `${column} is not null`] as const,
      ),
    ];
    for (const [table, column, live] of columns) {
      for (const pepper of peppers) {
        // Digests and sealed values have a dot only behind the tag of a pepper.
        const pattern = pepper.isTagged ? `${prefixOf(pepper)}%` : '%.%';
        const like = pepper.isTagged ? sql.raw('like') : sql.raw('not like');
        const { rows } = await sql<{ count: bigint | number }>`
          select count(*) as count from ${sql.table(table)}
          where ${sql.ref(column)} ${like} ${pattern} and ${sql.raw(live)}`.execute(db);
        const { tag } = pepper;
        const before = uses.get(`${table} ${tag}`)?.rows ?? 0;
        const count = before + Number(rows[0]?.count ?? 0);
        uses.set(`${table} ${tag}`, { table, tag, rows: count });
      }
    }
    return [...uses.values()];
  },
);

/** The columns with sealed secrets. */
export const SEALED = {
  'second factors': { table: 'people', column: 'totp_secret', purpose: 'totp' },
  'webhook secrets': { table: 'webhook_endpoints', column: 'secret', purpose: 'webhook' },
  'former webhook secrets': {
    table: 'webhook_endpoints',
    column: 'former_secret',
    purpose: 'webhook',
  },
  'keys of chats': { table: 'chats', column: 'sealed_key', purpose: 'chat' },
} as const;

export type SealedKind = keyof typeof SEALED;

export type Sealed = Readonly<{ kind: SealedKind; id: string; sealed: string }>;

/** Lists sealed secrets of one kind, by the id of their row. */
export const listSealed = readProcedure<
  Readonly<{ kind: SealedKind; after: string }>,
  readonly Sealed[]
>('listSealed', async (db, { kind, after }) => {
  const { table, column } = SEALED[kind];
  const { rows } = await sql<{ id: string; sealed: string }>`
    select id, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where ${sql.ref(column)} is not null and id > ${after}
    order by id limit ${ROWS_AT_ONCE}`.execute(db);
  return rows.map((row) => ({ kind, ...row }));
});

/** Replaces a sealed secret, unless it has changed meanwhile. */
export const replaceSealed = writeProcedure<Sealed & Readonly<{ to: string }>, null>(
  'replaceSealed',
  async (db, { kind, id, sealed, to }) => {
    const { table, column } = SEALED[kind];
    await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${to}
      where id = ${id} and ${sql.ref(column)} = ${sealed}`.execute(db);
    return null;
  },
);
