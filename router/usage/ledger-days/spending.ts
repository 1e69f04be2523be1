/** What requests have cost each of many organizations. */
import { type RawBuilder, sql } from 'kysely';
import type { OrganizationId } from '../../../shared/ids.ts';
import { USAGE_KIND_LIST } from '../../ledger/transfer-sql.ts';
import { joinHalves, wholeMillions } from '../../store/halves.ts';
import type { Db } from '../../store/procedure.ts';
import type { ChangesByDay } from './unfolded.ts';

type Wide = bigint | string;
/** `from`: the first day that counts, since 1970. */
type Query = Readonly<{
  from: number;
  organizations: readonly OrganizationId[];
  changes: ChangesByDay;
}>;

/** For procedures: the spend of these organizations in pico-USD. Those without are left out. */
export async function readSpending(
  db: Db,
  { from, organizations, changes }: Query,
): Promise<ReadonlyMap<OrganizationId, bigint>> {
  const { rows } = await sql<{ organization: OrganizationId; high: Wide; low: Wide }>`
    select organization, sum(high) as high, sum(low) as low from (${changes.query}) each
    where day >= ${BigInt(from)} and kind in (${USAGE_KIND_LIST})
      and organization in (${sql.join([...organizations])})
    group by organization`.execute(db);
  return new Map(rows.map(({ organization, high, low }) => [organization, -joinHalves(high, low)]));
}

/**
 * A query of the spend of all organizations, for their order: `organization`, and `micro`, in whole
 * millionths of a USD, which 64 bits hold. Organizations without spend have 0.
 */
export function allSpending(from: number, changes: ChangesByDay): RawBuilder<unknown> {
  // Grouped by the bare column, SQLite would read all days by the primary key, in place of the index
  // by day. It would also search a query that is joined from the left without an index.
  return sql`select organization, max(micro) as micro from (
      select min(organization) as organization,
        -${wholeMillions(sql`sum(high)`, sql`sum(low)`)} as micro
      from (${changes.query}) each
      where day >= ${BigInt(from)} and kind in (${USAGE_KIND_LIST})
      group by organization || ''
      union all select id, 0 from organizations
    ) each group by organization`;
}
