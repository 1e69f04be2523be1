/**
 * The ledger by day of all organizations together: what they paid and used, and which used the most.
 * Only folded transfers count, so the newest few minutes may be missing.
 */
import { sql } from 'kysely';
import type { OrganizationId } from '../../../shared/ids.ts';
import { USAGE_KINDS } from '../../ledger/transfers.ts';
import { joinHalves } from '../../store/halves.ts';
import type { Db } from '../../store/procedure.ts';
import { type Column, columnOf, noChanges } from './days.ts';

/** Changes in pico-USD: negative if they lower the balances. */
export type Changes = Readonly<Record<Column, bigint>>;

type Wide = bigint | string;

/** For procedures: the changes of each day (days since 1970) that has transfers. */
export async function readPlatformDays(
  db: Db,
  { from, until }: Readonly<{ from: number; until: number }>,
): Promise<ReadonlyMap<number, Changes>> {
  const { rows } = await sql<{ day: bigint; kind: string; high: Wide; low: Wide }>`
    select day, kind, sum(change_high) as high, sum(change_low) as low from ledger_days
    where day >= ${BigInt(from)} and day < ${BigInt(until)}
    group by day, kind`.execute(db);
  const days = new Map<number, Record<Column, bigint>>();
  for (const { day, kind, high, low } of rows) {
    const changes = days.get(Number(day)) ?? noChanges();
    changes[columnOf(kind)] += joinHalves(high, low);
    days.set(Number(day), changes);
  }
  return days;
}

export type TopCustomer = Readonly<{ organization: OrganizationId; name: string; used: bigint }>;

/** For procedures: the organizations that were charged the most since the day `from`, at first. */
export async function readTopCustomers(
  db: Db,
  { from, limit }: Readonly<{ from: number; limit: number }>,
): Promise<readonly TopCustomer[]> {
  const kinds = sql.join(USAGE_KINDS.map((kind) => sql.lit(kind)));
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
      where day >= ${BigInt(from)} and kind in (${kinds})
      group by organization || ''
      order by sum(change_high) * 1000000.0 + sum(change_low), min(organization)
      limit ${sql.lit(limit)}
    ) used join organizations o on o.id = used.organization
    order by used.high * 1000000.0 + used.low, used.organization`.execute(db);
  return rows
    .map(({ organization, name, high, low }) => ({
      organization,
      name,
      used: -joinHalves(high, low),
    }))
    .filter(({ used }) => used > 0n);
}
