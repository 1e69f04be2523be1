/**
 * What requests have cost each of many organizations: from the ledger by day, and from the transfers
 * that are not folded yet if there are not too many of them.
 */
import { type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '../../../shared/durations.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { CHANGE } from '../../ledger/transfer-sql.ts';
import { USAGE_KINDS } from '../../ledger/transfers.ts';
import { joinHalves } from '../../store/halves.ts';
import type { Db } from '../../store/procedure.ts';

/** The most transfers that are not folded yet that a query adds up. With more, it adds up none. */
export const UNFOLDED_MAX = 50_000n;
const KINDS = sql.join(USAGE_KINDS.map((kind) => sql.lit(kind)));

type Wide = bigint | string;
/** `from`: the first day that counts, since 1970. */
type Query = Readonly<{ from: number; organizations: readonly OrganizationId[] }>;

/** For procedures: the spend of these organizations in pico-USD. Those without are left out. */
export async function readSpending(
  db: Db,
  query: Query,
): Promise<ReadonlyMap<OrganizationId, bigint>> {
  if (query.organizations.length === 0) return new Map();
  const { rows } = await sql<{ organization: OrganizationId; high: Wide; low: Wide }>`
    select organization, sum(high) as high, sum(low) as low from (${await chargesOf(db, query)}) each
    group by organization`.execute(db);
  return new Map(rows.map(({ organization, high, low }) => [organization, -joinHalves(high, low)]));
}

/**
 * A query of the folded spend of all organizations, for their order: `organization`, and `micro`, in
 * whole millionths of a USD, which 64 bits hold. Organizations without spend have 0.
 */
export function allSpending(from: number): RawBuilder<unknown> {
  // Grouped by the bare column, SQLite would read all days by the primary key, in place of the index
  // by day. It would also search a query that is joined from the left without an index.
  return sql`select organization, max(micro) as micro from (
      select min(organization) as organization,
        -cast(sum(change_high) as bigint) - cast(sum(change_low) as bigint) / 1000000 as micro
      from ledger_days
      where day >= ${BigInt(from)} and kind in (${KINDS})
      group by organization || ''
      union all select id, 0 from organizations
    ) each group by organization`;
}

/** A query of charges and reversals, in the two parts of `halvesOf`. */
async function chargesOf(db: Db, { from, organizations }: Query): Promise<RawBuilder<unknown>> {
  const ids = sql.join([...organizations]);
  const folded = sql`select organization, change_high as high, change_low as low from ledger_days
    where organization in (${ids}) and day >= ${BigInt(from)} and kind in (${KINDS})`;
  const { rows } = await sql<{ count: Wide | null }>`
    select sum(a.transfer_seq - coalesce(f.folded_seq, 0)) as count
    from accounts a left join ledger_folds f on f.organization = a.id
    where a.id in (${ids})`.execute(db);
  if (BigInt(rows[0]?.count ?? 0n) > UNFOLDED_MAX) return folded;
  // A cross join, because SQLite would otherwise begin with all transfers.
  return sql`${folded} union all
    select t.organization, (${CHANGE}) / 1000000 as high, (${CHANGE}) % 1000000 as low
    from accounts a left join ledger_folds f on f.organization = a.id cross join transfers t
    where a.id in (${ids}) and t.organization = a.id and t.seq > coalesce(f.folded_seq, 0)
      and t.kind in (${KINDS}) and t.created >= ${BigInt(from * DAY_MS)}`;
}
