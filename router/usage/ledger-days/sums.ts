/**
 * The sums of an organization's transfers by day and kind. The day of a transfer is that of its
 * `created` in UTC. Times may rise a little differently from numbers, because the clocks of routers
 * differ, so sums are kept by day and never by ranges of numbers.
 */
import { sql } from 'kysely';
import type { OrganizationId } from '../../../shared/ids.ts';
import { CHANGE } from '../../ledger/transfer-sql.ts';
import { sumHalves } from '../../store/halves.ts';
import type { Db } from '../../store/procedure.ts';
import type { LedgerDayRow } from '../../store/schema/ledger-days.ts';
import { DAY_MS } from '../../../shared/durations.ts';

export type DaySum = Readonly<Omit<LedgerDayRow, 'organization'>>;

/** Sums: SQLite returns a bigint, PostgreSQL a decimal string. */
type Wide = bigint | string;
type SummedRow = Readonly<
  Record<'transfers' | 'change_high' | 'change_low', Wide> &
    Record<'day' | 'first_seq' | 'last_seq', bigint> & { kind: string }
>;

/** Sums the transfers after number `after`, up to number `upTo`. */
export async function sumTransfers(
  db: Db,
  organization: OrganizationId,
  { after, upTo }: Readonly<{ after: bigint; upTo: bigint }>,
): Promise<DaySum[]> {
  const { rows } = await sql<SummedRow>`
    select t.created / ${sql.lit(DAY_MS)} as day, t.kind, count(*) as transfers,
      ${sumHalves(CHANGE, 'change')}, min(t.seq) as first_seq, max(t.seq) as last_seq
    from transfers t
    where t.organization = ${organization} and t.seq > ${after} and t.seq <= ${upTo}
    group by 1, 2`.execute(db);
  return rows.map((row) => ({
    ...row,
    transfers: BigInt(row.transfers),
    change_high: BigInt(row.change_high),
    change_low: BigInt(row.change_low),
  }));
}

/** The number up to which an organization's transfers are folded. */
export async function readFolded(db: Db, organization: OrganizationId): Promise<bigint> {
  const row = await db
    .selectFrom('ledger_folds')
    .select('folded_seq')
    .where('organization', '=', organization)
    .executeTakeFirst();
  return row?.folded_seq ?? 0n;
}
