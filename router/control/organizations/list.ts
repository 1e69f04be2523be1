/**
 * Lists all organizations for operators, with what each has left, spends and last did. No usage row
 * is read: spend is from the ledger, and the last request is that of the keys.
 */
import { type Expression, sql, type SqlBool } from 'kysely';
import type {
  OrganizationOrder,
  OrganizationSort,
  OrganizationStatus,
} from '../../../shared/api/organizations.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import type { Region } from '../../../shared/region.ts';
import { containing } from '../../store/containing.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import { allSpending, readSpending } from '../../usage/ledger-days/spending.ts';
import { changesByDay } from '../../usage/ledger-days/unfolded.ts';
import { cutPage, type Page } from '../pages.ts';
import { type ListedOrganization, listedOf, selectListed } from './procedures.ts';

/** Spend is that of today (UTC) and of the days before it, so many together. */
const SPEND_DAYS = 30;

export type OrganizationEntry = ListedOrganization &
  Readonly<{
    /** In pico-USD. */
    balance: bigint;
    /** In pico-USD. */
    spent: bigint;
    /** In ms since the epoch; null: none of its keys was ever used. */
    lastRequest: number | null;
  }>;

/** The place of the last row of a page: what the list is sorted by, and the id. */
export type OrganizationPlace = Readonly<{ value: bigint; id: OrganizationId }>;

/** Null: no filter. */
export type OrganizationsFilter = Readonly<{
  /** An id, or a part of a name or of a member's address, ignoring case. */
  search: string | null;
  status: OrganizationStatus | null;
  region: Region | null;
  billing: 'prepaid' | 'invoiced' | null;
  /** `left`: the balance is above 0. */
  credit: 'left' | 'none' | null;
}>;

export type OrganizationsQuery = OrganizationsFilter &
  Readonly<{
    sort: OrganizationSort;
    order: OrganizationOrder;
    after: OrganizationPlace | null;
    limit: number;
    /** Today, in days since 1970. */
    today: number;
  }>;

/**
 * Lists all organizations, including deleted ones. It runs on the thread for heavy procedures,
 * because a sort other than by creation looks at all organizations.
 */
export const listOrganizations = readProcedure<
  OrganizationsQuery,
  Page<OrganizationEntry, OrganizationPlace>
>('listOrganizations', { heavy: true }, async (db, query) => {
  const from = query.today - SPEND_DAYS + 1;
  // An order by spend counts the same transfers as the spend that is shown.
  const ofAll = query.sort === 'spend' ? await changesByDay(db, null) : null;
  const { rows, next } = await readPlaces(db, query, ofAll && allSpending(from, ofAll));
  if (rows.length === 0) return { rows: [], next };
  const ids = rows.map(({ id }) => id);
  const changes = ofAll ?? (await changesByDay(db, ids));
  const spent = await readSpending(db, { from, organizations: ids, changes });
  return { rows: await readEntries(db, ids, spent), next };
});

/** What each sort compares: whole numbers, of which spend is in millionths of a USD. */
const SORTED_BY = {
  created: sql`organizations.created`,
  balance: sql`accounts.balance`,
  spend: sql`spending.micro`,
  last_request: sql`coalesce(used.at, 0)`,
} as const satisfies Readonly<Record<OrganizationSort, Expression<unknown>>>;

/**
 * Finds which organizations are on the page, and reads no more than the sort needs. `spending`: a
 * query of the spend of all organizations if they are sorted by it.
 */
async function readPlaces(
  db: Db,
  { sort, order, after, limit, ...filter }: OrganizationsQuery,
  spending: Expression<unknown> | null,
): Promise<Page<OrganizationPlace, OrganizationPlace>> {
  const by = SORTED_BY[sort];
  const direction = sql.raw(order);
  const compare = sql.raw(order === 'asc' ? '>' : '<');
  // Ids sort by creation, and have an index.
  const isById = sort === 'created';
  const conditions = conditionsOf(filter);
  if (after !== null) {
    conditions.push(
      isById
        ? sql<SqlBool>`organizations.id ${compare} ${after.id}`
        : sql<SqlBool>`(${by}, organizations.id) ${compare} (${after.value}, ${after.id})`,
    );
  }
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
  const first = isById ? sql`` : sql`${by} ${direction},`;
  const { rows } = await sql<{ id: OrganizationId; value: bigint }>`
    select organizations.id, ${by} as value from organizations
    ${joinOf(sort, spending)} ${where}
    order by ${first} organizations.id ${direction}
    limit ${sql.lit(limit + 1)}`.execute(db);
  return cutPage(rows, limit, (last) => last);
}

function joinOf(sort: OrganizationSort, spending: Expression<unknown> | null): Expression<unknown> {
  switch (sort) {
    case 'created':
      return sql``;
    case 'balance':
      return sql`join accounts on accounts.id = organizations.id`;
    case 'spend':
      return sql`join (${spending}) spending
        on spending.organization = organizations.id`;
    case 'last_request':
      return sql`join (
        select organization, max(at) as at from (
          select organization, max(last_used) as at from keys group by organization
          union all select id, 0 from organizations
        ) each group by organization
      ) used on used.organization = organizations.id`;
  }
}

async function readEntries(
  db: Db,
  ids: readonly OrganizationId[],
  spent: ReadonlyMap<OrganizationId, bigint>,
): Promise<readonly OrganizationEntry[]> {
  const organizations = await selectListed(db).where('id', 'in', ids).execute();
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', 'balance'])
    .where('id', 'in', ids)
    .execute();
  const used = await db
    .selectFrom('keys')
    .select((row) => ['organization', row.fn.max('last_used').as('at')])
    .where('organization', 'in', ids)
    .groupBy('organization')
    .execute();
  const balanceOf = new Map(accounts.map(({ id, balance }) => [id, balance]));
  const usedAt = new Map(used.map(({ organization, at }) => [organization, at]));
  const rowOf = new Map(organizations.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = rowOf.get(id);
    if (row === undefined) return [];
    const at = usedAt.get(id) ?? null;
    return {
      ...listedOf(row),
      balance: balanceOf.get(id) ?? 0n,
      spent: spent.get(id) ?? 0n,
      lastRequest: at === null ? null : Number(at),
    };
  });
}

function conditionsOf({ search, status, region, billing, credit }: OrganizationsFilter) {
  const conditions: Expression<SqlBool>[] = [];
  if (search !== null) conditions.push(fits(search));
  if (status === 'deleted') conditions.push(sql<SqlBool>`organizations.deleted is not null`);
  else if (status !== null) {
    conditions.push(
      sql<SqlBool>`organizations.status = ${status}`,
      sql<SqlBool>`organizations.deleted is null`,
    );
  }
  if (region !== null) conditions.push(sql<SqlBool>`organizations.region = ${region}`);
  if (billing !== null) conditions.push(sql<SqlBool>`organizations.billing = ${billing}`);
  if (credit !== null) {
    const compare = sql.raw(credit === 'left' ? '>' : '<=');
    conditions.push(
      sql<SqlBool>`(select a.balance from accounts a where a.id = organizations.id) ${compare} 0`,
    );
  }
  return conditions;
}

function fits(search: string): Expression<SqlBool> {
  return sql<SqlBool>`(organizations.id = ${search.toLowerCase()}
    or ${containing(sql.ref('organizations.name'), search)}
    or organizations.id in (
      select m.organization from members m join people p on p.id = m.person
      where m.left_at is null and ${containing(sql.ref('p.email'), search)}))`;
}
