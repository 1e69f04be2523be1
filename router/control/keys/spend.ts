/** What keys have spent: this month and in all. */
import { sql } from 'kysely';
import type { KeyId, OrganizationId } from '../../../shared/ids.ts';
import { joinHalves, sumHalves } from '../../ledger/verify/check.ts';
import type { Db } from '../../store/procedure.ts';

/** In pico-USD; the sums of years may pass what one account can ever have. */
export type KeySpend = Readonly<{ month: bigint; total: bigint }>;

type Sums = Readonly<{
  key: KeyId;
  total_high: bigint;
  total_low: bigint;
  month_high: bigint;
  month_low: bigint;
}>;

/**
 * By key, for those that have any usage. `monthStart` is the first millisecond of the month: a request belongs to
 * the month in which it arrived.
 */
export async function spendOfKeys(
  db: Db,
  organization: OrganizationId,
  keys: readonly KeyId[],
  monthStart: bigint,
): Promise<ReadonlyMap<KeyId, KeySpend>> {
  if (keys.length === 0) return new Map();
  const inMonth = sql`case when created >= ${monthStart} then cost else 0 end`;
  const { rows } = await sql<Sums>`
    select key, ${sumHalves(sql`cost`, 'total')}, ${sumHalves(inMonth, 'month')}
    from usage where organization = ${organization} and key in (${sql.join(keys)}) group by key
  `.execute(db);
  return new Map(
    rows.map(({ key, ...sums }) => [
      key,
      {
        month: joinHalves(sums.month_high, sums.month_low),
        total: joinHalves(sums.total_high, sums.total_low),
      },
    ]),
  );
}

/** The first millisecond of the calendar month (UTC) that this instant is in. */
export function startOfMonth(now: number): bigint {
  const date = new Date(now);
  return BigInt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth()));
}
