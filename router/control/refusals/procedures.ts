/** Reads an organization's refusals with the names of its keys. */
import type { KeyId, OrganizationId, RequestId } from '../../../shared/ids.ts';
import { readProcedure } from '../../store/procedure.ts';
import type { RefusalRow } from '../../store/schema/refusals.ts';
import {
  countRefusals,
  findRefusal,
  listRefusals,
  type RefusalCountQuery,
  type RefusalFilter,
  type RefusalSum,
} from '../../usage/refusals/listings.ts';
import { organizationExists } from '../organizations/procedures.ts';
import type { Page } from '../pages.ts';
import { findNamedUsage, nameKeys, type UsageWithPrice } from '../usage/procedures.ts';

export type NamedRefusal = RefusalRow & Readonly<{ keyName: string | null }>;

/** Returns null when there is no such organization. */
export const listNamedRefusals = readProcedure<RefusalFilter, Page<NamedRefusal, RequestId> | null>(
  'listNamedRefusals',
  async (db, query) => {
    if (!(await organizationExists(db, query.organization))) return null;
    const { rows, next } = await listRefusals.run(db, query);
    const names = await nameKeys(db, [...new Set(rows.map(({ key }) => key))]);
    return { rows: rows.map((row) => ({ ...row, keyName: names.get(row.key) ?? null })), next };
  },
);

export type CountedNames = Readonly<{
  sums: readonly RefusalSum[];
  names: ReadonlyMap<string, string>;
}>;

/** Returns null when there is no such organization. */
export const countNamedRefusals = readProcedure<RefusalCountQuery, CountedNames | null>(
  'countNamedRefusals',
  { heavy: true },
  async (db, query) => {
    if (!(await organizationExists(db, query.organization))) return null;
    const sums = await countRefusals.run(db, query);
    const keys = query.groupBy === 'key' ? sums.flatMap(({ group }) => group ?? []) : [];
    return { sums, names: await nameKeys(db, [...new Set(keys)] as KeyId[]) };
  },
);

export type EitherRequest = Readonly<
  { usage: UsageWithPrice; refusal: null } | { usage: null; refusal: NamedRefusal }
>;

/** Finds a request that was admitted or refused. */
export const findRequest = readProcedure<
  /** `organization`: null for a request of any organization. */
  Readonly<{ organization: OrganizationId | null; request: RequestId }>,
  EitherRequest | null
>('findRequest', async (db, query) => {
  const usage = await findNamedUsage.run(db, query);
  if (usage) return { usage, refusal: null };
  const row = await findRefusal.run(db, query);
  if (!row) return null;
  const names = await nameKeys(db, [row.key]);
  return { usage: null, refusal: { ...row, keyName: names.get(row.key) ?? null } };
});
