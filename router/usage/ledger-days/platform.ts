/**
 * The ledger by day of all organizations together: what they paid and used, and which used the most.
 * Transfers that are not folded yet count for the days, if there are not too many of them.
 */
import { type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '../../../shared/durations.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { CHANGE } from '../../ledger/transfer-sql.ts';
import { USAGE_KINDS } from '../../ledger/transfers.ts';
import { joinHalves } from '../../store/halves.ts';
import type { Db } from '../../store/procedure.ts';
import { UNFOLDED_MAX } from './spending.ts';
import { type Column, columnOf, noChanges } from './days.ts';

/** Changes in pico-USD: negative if they lower the balances. */
export type Changes = Readonly<Record<Column, bigint>>;

type Wide = bigint | string;

export type PlatformDays = Readonly<{
  /** The changes of each day (days since 1970) that has transfers. */
  days: ReadonlyMap<number, Changes>;
  /** Whether all transfers are in them. */
  isCurrent: boolean;
}>;

type Span = Readonly<{ from: number; until: number }>;

/** For procedures: days from `from` on, before `until`. */
export async function readPlatformDays(db: Db, span: Span): Promise<PlatformDays> {
  const { from, until } = span;
  const isCurrent = (await countUnfolded(db)) <= UNFOLDED_MAX;
  const folded = sql`select day, kind, change_high as high, change_low as low from ledger_days
    where day >= ${BigInt(from)} and day < ${BigInt(until)}`;
  const each = isCurrent ? sql`${folded} union all ${unfoldedIn(span)}` : folded;
  const { rows } = await sql<{ day: Wide; kind: string; high: Wide; low: Wide }>`
    select day, kind, sum(high) as high, sum(low) as low from (${each}) each
    group by day, kind`.execute(db);
  const days = new Map<number, Record<Column, bigint>>();
  for (const { day, kind, high, low } of rows) {
    const changes = days.get(Number(day)) ?? noChanges();
    changes[columnOf(kind)] += joinHalves(high, low);
    days.set(Number(day), changes);
  }
  return { days, isCurrent };
}

async function countUnfolded(db: Db): Promise<bigint> {
  const { rows } = await sql<{ count: Wide | null }>`
    select sum(a.transfer_seq - coalesce(f.folded_seq, 0)) as count
    from accounts a left join ledger_folds f on f.organization = a.id`.execute(db);
  return BigInt(rows[0]?.count ?? 0n);
}

/** A query of the transfers that are not folded yet, in the two parts of `halvesOf`. */
function unfoldedIn({ from, until }: Span): RawBuilder<unknown> {
  // A cross join, because SQLite would otherwise begin with all transfers.
  return sql`
    select t.created / ${sql.lit(DAY_MS)} as day, t.kind, (${CHANGE}) / 1000000 as high,
      (${CHANGE}) % 1000000 as low
    from accounts a left join ledger_folds f on f.organization = a.id cross join transfers t
    where a.transfer_seq > coalesce(f.folded_seq, 0)
      and t.organization = a.id and t.seq > coalesce(f.folded_seq, 0)
      and t.created >= ${BigInt(from * DAY_MS)} and t.created < ${BigInt(until * DAY_MS)}`;
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
