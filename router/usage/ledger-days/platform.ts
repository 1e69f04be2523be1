/**
 * The ledger by day of all organizations together: what they paid and used, and which used the most.
 * Transfers that are not folded yet count, if there are not too many of them (unfolded.ts).
 */
import { sql } from 'kysely';
import type { OrganizationId } from '../../../shared/ids.ts';
import { USAGE_KIND_LIST } from '../../ledger/transfer-sql.ts';
import { joinHalves, roughWhole } from '../../store/halves.ts';
import type { Db } from '../../store/procedure.ts';
import { type Column, columnOf, noChanges } from './days.ts';
import type { ChangesByDay } from './unfolded.ts';

/** Changes in pico-USD: negative if they lower the balances. */
export type Changes = Readonly<Record<Column, bigint>>;

type Wide = bigint | string;

/**
 * For procedures: the changes of each day (days since 1970) that has transfers, from `from` on and
 * before `until`.
 */
export async function readPlatformDays(
  db: Db,
  { from, until, changes }: Readonly<{ from: number; until: number; changes: ChangesByDay }>,
): Promise<ReadonlyMap<number, Changes>> {
  const { rows } = await sql<{ day: Wide; kind: string; high: Wide; low: Wide }>`
    select day, kind, sum(high) as high, sum(low) as low from (${changes.query}) each
    where day >= ${BigInt(from)} and day < ${BigInt(until)}
    group by day, kind`.execute(db);
  const days = new Map<number, Record<Column, bigint>>();
  for (const { day, kind, high, low } of rows) {
    const ofDay = days.get(Number(day)) ?? noChanges();
    ofDay[columnOf(kind)] += joinHalves(high, low);
    days.set(Number(day), ofDay);
  }
  return days;
}

export type TopCustomer = Readonly<{ organization: OrganizationId; name: string; used: bigint }>;

/** For procedures: the organizations that were charged the most since the day `from`, at first. */
export async function readTopCustomers(
  db: Db,
  { from, limit, changes }: Readonly<{ from: number; limit: number; changes: ChangesByDay }>,
): Promise<readonly TopCustomer[]> {
  // The order is that of floating-point numbers, the amounts are exact. Grouped by the bare column,
  // SQLite would read all days by the primary key, in place of the index by day.
  const { rows } = await sql<{
    organization: OrganizationId;
    name: string;
    high: Wide;
    low: Wide;
  }>`
    select used.organization, o.name, used.high, used.low from (
      select min(organization) as organization, sum(high) as high, sum(low) as low
      from (${changes.query}) each
      where day >= ${BigInt(from)} and kind in (${USAGE_KIND_LIST})
      group by organization || ''
      order by ${roughWhole(sql`sum(high)`, sql`sum(low)`)}, min(organization)
      limit ${sql.lit(limit)}
    ) used join organizations o on o.id = used.organization
    order by ${roughWhole(sql`used.high`, sql`used.low`)}, used.organization`.execute(db);
  return rows
    .map(({ organization, name, high, low }) => ({
      organization,
      name,
      used: -joinHalves(high, low),
    }))
    .filter(({ used }) => used > 0n);
}
