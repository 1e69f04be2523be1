/**
 * The ledger by day of all organizations together: what they paid and used, and which used the most.
 * Transfers that are not folded yet count for the days, if there are not too many of them.
 */
import { sql } from 'kysely';
import type { OrganizationId } from '../../../shared/ids.ts';
import { USAGE_KIND_LIST } from '../../ledger/transfer-sql.ts';
import { joinHalves, roughWhole } from '../../store/halves.ts';
import type { Db } from '../../store/procedure.ts';
import { type Column, columnOf, noChanges } from './days.ts';
import { changesByDay } from './unfolded.ts';

/** Changes in pico-USD: negative if they lower the balances. */
export type Changes = Readonly<Record<Column, bigint>>;

type Wide = bigint | string;

export type PlatformDays = Readonly<{
  /** The changes of each day (days since 1970) that has transfers. */
  days: ReadonlyMap<number, Changes>;
  /** Whether all transfers are in them. */
  isCurrent: boolean;
}>;

/** For procedures: days from `from` on, before `until`. */
export async function readPlatformDays(
  db: Db,
  { from, until }: Readonly<{ from: number; until: number }>,
): Promise<PlatformDays> {
  const { query, isCurrent } = await changesByDay(db, null);
  const { rows } = await sql<{ day: Wide; kind: string; high: Wide; low: Wide }>`
    select day, kind, sum(high) as high, sum(low) as low from (${query}) each
    where day >= ${BigInt(from)} and day < ${BigInt(until)}
    group by day, kind`.execute(db);
  const days = new Map<number, Record<Column, bigint>>();
  for (const { day, kind, high, low } of rows) {
    const changes = days.get(Number(day)) ?? noChanges();
    changes[columnOf(kind)] += joinHalves(high, low);
    days.set(Number(day), changes);
  }
  return { days, isCurrent };
}

export type TopCustomer = Readonly<{ organization: OrganizationId; name: string; used: bigint }>;

/** For procedures: the organizations that were charged the most since the day `from`, at first. */
export async function readTopCustomers(
  db: Db,
  { from, limit }: Readonly<{ from: number; limit: number }>,
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
      select min(organization) as organization,
        sum(change_high) as high, sum(change_low) as low
      from ledger_days
      where day >= ${BigInt(from)} and kind in (${USAGE_KIND_LIST})
      group by organization || ''
      order by ${roughWhole(sql`sum(change_high)`, sql`sum(change_low)`)}, min(organization)
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
