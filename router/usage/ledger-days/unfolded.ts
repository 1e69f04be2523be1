/**
 * What transfers of many organizations changed by day: those that are folded, and those that are not
 * folded yet if there are not too many of them.
 */
import { type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '../../../shared/durations.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { CHANGE } from '../../ledger/transfer-sql.ts';
import { highOf, lowOf } from '../../store/halves.ts';
import type { Db } from '../../store/procedure.ts';

/** The most transfers that are not folded yet that a query adds up. With more, it adds up none. */
const UNFOLDED_MAX = 50_000n;

const FOLDED = sql`
  select organization, day, kind, change_high as high, change_low as low from ledger_days`;
// A cross join, because SQLite would otherwise begin with all transfers.
const UNFOLDED = sql`
  select a.id as organization, t.created / ${sql.lit(DAY_MS)} as day, t.kind,
    ${highOf(CHANGE)} as high, ${lowOf(CHANGE)} as low
  from accounts a left join ledger_folds f on f.organization = a.id cross join transfers t
  where a.transfer_seq > coalesce(f.folded_seq, 0)
    and t.organization = a.id and t.seq > coalesce(f.folded_seq, 0)`;

export type ChangesByDay = Readonly<{
  /**
   * A query of `organization`, `day`, `kind`, and the change in two parts (halves.ts). Conditions on
   * the first three columns should be beside it: both databases apply them to its parts.
   */
  query: RawBuilder<unknown>;
  /** Whether transfers that are not folded yet are in it. */
  isCurrent: boolean;
}>;

/** For procedures: the changes of these organizations, or of any if it is null. */
export async function changesByDay(
  db: Db,
  organizations: readonly OrganizationId[] | null,
): Promise<ChangesByDay> {
  const among =
    organizations === null ? sql`` : sql`where a.id in (${sql.join([...organizations])})`;
  const { rows } = await sql<{ count: bigint | string | null }>`
    select sum(a.transfer_seq - coalesce(f.folded_seq, 0)) as count
    from accounts a left join ledger_folds f on f.organization = a.id ${among}`.execute(db);
  const isCurrent = BigInt(rows[0]?.count ?? 0n) <= UNFOLDED_MAX;
  return { query: isCurrent ? sql`${FOLDED} union all ${UNFOLDED}` : FOLDED, isCurrent };
}
