/** Reads refusals: those that are kept in full, newest first, and the counts of all. */
import { sql } from 'kysely';
import { idsFrom, type KeyId, type OrganizationId, type RequestId } from '../../../shared/ids.ts';
import type { RefusalCode } from '../../../shared/refusals.ts';
import { readProcedure } from '../../store/procedure.ts';
import type { RefusalRow } from '../../store/schema/refusals.ts';

export type RefusalFilter = Readonly<{
  organization: OrganizationId;
  /** The last request of the previous page; null for the newest. */
  before: RequestId | null;
  limit: number;
  /** By time of arrival, in ms since the epoch; `until` is exclusive. */
  from?: number | undefined;
  until?: number | undefined;
  key?: readonly KeyId[] | undefined;
  model?: readonly string[] | undefined;
  codes?: readonly RefusalCode[] | undefined;
}>;

export type RefusalPage = Readonly<{ rows: readonly RefusalRow[]; next: RequestId | null }>;

export const listRefusals = readProcedure<RefusalFilter, RefusalPage>(
  'listRefusals',
  async (db, { organization, before, limit, from, until, key, model, codes }) => {
    // PostgreSQL takes no empty list.
    if (codes?.length === 0) return { rows: [], next: null };
    let query = db
      .selectFrom('refusals')
      .selectAll()
      .where('organization', '=', organization)
      .orderBy('request', 'desc')
      .limit(limit + 1);
    if (before !== null) query = query.where('request', '<', before);
    // Ids of requests begin with the time of arrival.
    if (from !== undefined) query = query.where('request', '>=', firstAt(from));
    if (until !== undefined) query = query.where('request', '<', firstAt(until));
    if (key !== undefined) query = query.where('key', 'in', key);
    if (model !== undefined) query = query.where('model', 'in', model);
    if (codes !== undefined) query = query.where('code', 'in', codes);
    const found = await query.execute();
    const rows = found.slice(0, limit);
    return { rows, next: found.length > limit ? (rows.at(-1)?.request ?? null) : null };
  },
);

function firstAt(instant: number): RequestId {
  return idsFrom('request', instant) as RequestId;
}

export const findRefusal = readProcedure<
  /** `organization`: null for a request of any organization. */
  Readonly<{ organization: OrganizationId | null; request: RequestId }>,
  RefusalRow | null
>('findRefusal', async (db, { organization, request }) => {
  const found = db.selectFrom('refusals').selectAll().where('request', '=', request);
  const own = organization === null ? found : found.where('organization', '=', organization);
  return (await own.executeTakeFirst()) ?? null;
});

export type RefusalCountQuery = Readonly<{
  organization: OrganizationId;
  /** Minutes since 1970; `until` is exclusive. */
  from: number;
  until: number;
  /** The length of a bucket. */
  minutes: number;
  groupBy: 'code' | 'key' | null;
  key?: readonly KeyId[] | undefined;
  codes?: readonly RefusalCode[] | undefined;
}>;

/** `bucket`: its number since 1970. `group`: null without a grouping, and for uncounted keys. */
export type RefusalSum = Readonly<{ bucket: number; group: string | null; count: number }>;

/** The most sums of one query. The thread that serves requests copies and serializes them. */
export const SUMS_MAX = 5_000;

/** In the order of time; one more than SUMS_MAX when there are more. */
export const countRefusals = readProcedure<RefusalCountQuery, readonly RefusalSum[]>(
  'countRefusals',
  { heavy: true },
  async (db, { organization, from, until, minutes, groupBy, key, codes }) => {
    if (codes?.length === 0) return [];
    const group = groupBy === null ? sql<string>`''` : sql.ref<string>(groupBy);
    let query = db
      .selectFrom('refusal_counts')
      .select([
        sql<bigint>`minute / ${sql.lit(minutes)}`.as('bucket'),
        group.as('of'),
        // The sum of whole numbers is a decimal on PostgreSQL.
        sql<bigint>`cast(sum(count) as int8)`.as('count'),
      ])
      .where('organization', '=', organization)
      .where('minute', '>=', BigInt(from))
      .where('minute', '<', BigInt(until))
      .groupBy(sql`1, 2`)
      .orderBy(sql`1, 2`)
      .limit(SUMS_MAX + 1);
    if (key !== undefined) query = query.where('key', 'in', key);
    if (codes !== undefined) query = query.where('code', 'in', codes);
    const rows = await query.execute();
    return rows.map((row) => ({
      bucket: Number(row.bucket),
      group: row.of === '' ? null : row.of,
      count: Number(row.count),
    }));
  },
);
