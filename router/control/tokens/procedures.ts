/**
 * Management tokens as people manage them. Revoked tokens stay in the store, so that the audit log
 * keeps their names.
 */
import { sql } from 'kysely';
import type { ManagementTokenId, OrganizationId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { lockLiveOrganization } from '../../identity/organizations.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { ManagementTokenRow } from '../../store/schema/people.ts';
import { audited } from '../audit/record.ts';
import { memberOf } from '../members/current.ts';
import { type ListQuery, type Page, readPage } from '../pages.ts';

/**
 * A token without its digest. `maker_name` is null when the maker is unknown or their data has been
 * erased.
 */
export type ListedToken = Omit<ManagementTokenRow, 'digest' | 'revoked'> &
  Readonly<{ maker_name: string | null }>;

/**
 * Creates a token. Its maker is stored only if they are a member, because customers must not see
 * which operator made it. `full`: the organization has reached its limit of tokens.
 */
const createToken = writeProcedure<ManagementTokenRow, 'done' | 'unknown' | 'full'>(
  'createToken',
  async (db, row) => {
    if (!(await lockLiveOrganization(db, row.organization))) return 'unknown';
    const { count } = await db
      .selectFrom('management_tokens')
      .select((token) => token.fn.countAll<bigint | string>().as('count'))
      .where('organization', '=', row.organization)
      .where('revoked', 'is', null)
      .executeTakeFirstOrThrow();
    if (Number(count) >= limits.managementTokensPerOrganizationMax) return 'full';
    const { created_by: maker } = row;
    const isMember = maker !== null && (await memberOf(db, row.organization, maker)) !== null;
    await db
      .insertInto('management_tokens')
      .values({ ...row, created_by: isMember ? maker : null })
      .execute();
    return 'done';
  },
);

type OfToken = Readonly<{ organization: OrganizationId; token: ManagementTokenId }>;

/** Revokes a token, from its next request on. `at` is in ms since the epoch. */
const revokeToken = writeProcedure<OfToken & Readonly<{ at: number }>, 'done' | 'unknown'>(
  'revokeToken',
  async (db, { organization, token, at }) => {
    const row = await db
      .updateTable('management_tokens')
      .set({ revoked: milliseconds(at) })
      .where('id', '=', token)
      .where('organization', '=', organization)
      .where('revoked', 'is', null)
      .returning('id')
      .executeTakeFirst();
    return row ? 'done' : 'unknown';
  },
);

export const createTokenAudited = audited(createToken);
export const revokeTokenAudited = audited(revokeToken);

function listed(db: Db, organization: OrganizationId) {
  return db
    .selectFrom('management_tokens as t')
    .leftJoin('people as p', (join) =>
      join.onRef('p.id', '=', 't.created_by').on('p.erased', 'is', null),
    )
    .select([
      't.id',
      't.organization',
      't.name',
      't.role',
      't.created_by',
      't.created',
      't.expires',
      't.last_used',
      'p.name as maker_name',
    ])
    .where('t.organization', '=', organization)
    .where('t.revoked', 'is', null);
}

export const findToken = readProcedure<OfToken, ListedToken | null>(
  'findToken',
  async (db, { organization, token }) => {
    return (await listed(db, organization).where('t.id', '=', token).executeTakeFirst()) ?? null;
  },
);

/** Lists the tokens that are not revoked, newest first. */
export const listTokens = readProcedure<
  ListQuery<ManagementTokenId> & Readonly<{ organization: OrganizationId }>,
  Page<ListedToken, ManagementTokenId>
>('listTokens', (db, { organization, ...asked }) =>
  readPage(listed(db, organization), 't.id', asked),
);

/**
 * Updates `last_used`, unless another router did so after `notSince`. Both times are ms since the
 * epoch.
 */
export const touchToken = writeProcedure<
  Readonly<{
    of: 'management_tokens' | 'operator_tokens';
    token: string;
    at: number;
    notSince: number;
  }>,
  null
>('touchToken', async (db, { of, token, at, notSince }) => {
  await sql`
    update ${sql.table(of)} set last_used = ${milliseconds(at)}
    where id = ${token} and (last_used is null or last_used <= ${milliseconds(notSince)})
  `.execute(db);
  return null;
});
