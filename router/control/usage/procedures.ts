/**
 * Reads an organization's usage with the names of its keys (including deleted ones) and of its
 * members.
 */
import type { KeyId, MemberId, OrganizationId, RequestId } from '../../../shared/ids.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import type { PriceRow } from '../../store/schema/ledger.ts';
import { findUsage, listUsage, type UsageFilter, type UsageRecord } from '../../usage/listings.ts';
import type { Summary, SummaryQuery } from '../../usage/rollups/summary-query.ts';
import { summarizeUsage } from '../../usage/rollups/summary.ts';
import { organizationExists } from '../organizations/procedures.ts';
import type { Page } from '../pages.ts';

export type NamedUsage = UsageRecord & Readonly<{ keyName: string | null }>;

/** Returns null when there is no such organization. */
export const listNamedUsage = readProcedure<UsageFilter, Page<NamedUsage, bigint> | null>(
  'listNamedUsage',
  { heavy: true },
  async (db, query) => {
    if (!(await organizationExists(db, query.organization))) return null;
    const { rows, next } = await listUsage.run(db, query);
    const names = await nameKeys(db, [...new Set(rows.map(({ key }) => key))]);
    return { rows: rows.map((row) => ({ ...row, keyName: names.get(row.key) ?? null })), next };
  },
);

export type UsageWithPrice = Readonly<{
  usage: NamedUsage;
  memberName: string | null;
  price: Pick<PriceRow, 'prompt' | 'cached' | 'completion'> | null;
}>;

export const findNamedUsage = readProcedure<
  /** `organization`: null for a request of any organization. */
  Readonly<{ organization: OrganizationId | null; request: RequestId }>,
  UsageWithPrice | null
>('findNamedUsage', async (db, query) => {
  const usage = await findUsage.run(db, query);
  if (!usage) return null;
  const { key, member } = usage;
  const keys = await nameKeys(db, [key]);
  const members = await nameMembers(db, usage.organization, member === null ? [] : [member]);
  const price = await db
    .selectFrom('prices')
    .select(['prompt', 'cached', 'completion'])
    .where('id', '=', usage.price)
    .executeTakeFirst();
  return {
    usage: { ...usage, keyName: keys.get(key) ?? null },
    memberName: member === null ? null : (members.get(member) ?? null),
    price: price ?? null,
  };
});

export type NamedSummary = Readonly<{ summary: Summary; names: ReadonlyMap<string, string> }>;

/**
 * Returns null when there is no such organization, and `too_wide` when the summary has too many
 * groups.
 */
export async function summarizeNamed(
  db: Db,
  query: SummaryQuery,
): Promise<NamedSummary | 'too_wide' | null> {
  if (!(await organizationExists(db, query.organization))) return null;
  const summary = await summarizeUsage.run(db, query);
  if (summary === 'too_wide') return summary;
  const values = summary.groups.flatMap(({ value }) => (value ? [value] : []));
  return { summary, names: await nameGroups(db, query, values) };
}

function nameGroups(
  db: Db,
  { organization, groupBy }: SummaryQuery,
  values: readonly string[],
): Promise<ReadonlyMap<string, string>> | ReadonlyMap<string, string> {
  if (groupBy === 'key') return nameKeys(db, values as KeyId[]);
  if (groupBy === 'member') return nameMembers(db, organization, values as MemberId[]);
  return new Map(values.map((value) => [value, value]));
}

export async function nameKeys(db: Db, ids: readonly KeyId[]): Promise<Map<KeyId, string>> {
  if (ids.length === 0) return new Map();
  const keys = await db.selectFrom('keys').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(keys.map(({ id, name }) => [id, name]));
}

async function nameMembers(
  db: Db,
  organization: OrganizationId,
  ids: readonly MemberId[],
): Promise<Map<MemberId, string>> {
  if (ids.length === 0) return new Map();
  const members = await db
    .selectFrom('members as m')
    .innerJoin('people as p', 'p.id', 'm.person')
    .select(['m.id', 'p.name'])
    .where('m.organization', '=', organization)
    .where('m.id', 'in', ids)
    .execute();
  return new Map(members.map(({ id, name }) => [id, name]));
}
