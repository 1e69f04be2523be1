/**
 * The spend of keys. This month and in total, by when requests arrived: the rolled-up months plus the
 * usage rows that are not rolled up yet, so that the newest request is included. Today, by when
 * requests were charged: from the meters, which count for the daily cap.
 */
import { sql } from 'kysely';
import type { KeyId, OrganizationId } from '../../../shared/ids.ts';
import { broughtTo, spentInDay } from '../../ledger/rules/spent.ts';
import { joinHalves, sumHalves } from '../../store/halves.ts';
import type { Db } from '../../store/procedure.ts';
import { CellReader } from '../../usage/rollups/cells.ts';
import { readMark } from '../../usage/rollups/fold.ts';
import { shapeOf } from '../../usage/rollups/shapes.ts';
import { costOf, noSums } from '../../usage/rollups/sums.ts';
import { LEVELS, ordinalOf } from '../../usage/time-buckets.ts';

/** In pico-USD. The sum of several years may exceed the maximum balance of an account. */
export type KeySpend = Readonly<{ month: bigint; total: bigint }>;

/** One source's share of a key's spend. Negative where a charge was given back. */
type Share = KeySpend & Readonly<{ key: KeyId }>;

type SpendQuery = Readonly<{
  organization: OrganizationId;
  keys: readonly KeyId[];
  /**
   * The start of the month, in ms since the epoch. A request belongs to the month in which it
   * arrived.
   */
  monthStart: number;
}>;

/** Returns spend by key, for the keys that have any usage. */
export async function spendOfKeys(
  db: Db,
  organization: OrganizationId,
  keys: readonly KeyId[],
  monthStart: number,
): Promise<ReadonlyMap<KeyId, KeySpend>> {
  if (keys.length === 0) return new Map();
  const ask = { organization, keys, monthStart };
  const { folded_seq: folded } = await readMark(db, organization);
  const shares = [
    await foldedShares(db, ask),
    await newShares(db, ask, folded),
    await returnedShares(db, ask, folded),
  ].flat();
  const spend = new Map<KeyId, KeySpend>();
  for (const { key, month, total } of shares) {
    const sum = spend.get(key) ?? { month: 0n, total: 0n };
    spend.set(key, { month: sum.month + month, total: sum.total + total });
  }
  return spend;
}

/** Returns what keys were charged on the day (UTC) of `now`, for the keys that have a meter. */
export async function spentTodayBy(
  db: Db,
  keys: readonly KeyId[],
  now: number,
): Promise<ReadonlyMap<KeyId, bigint>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('meters')
    .select(['key', 'month', 'spent', 'day_from', 'before_day'])
    .where('key', 'in', keys)
    .execute();
  return new Map(rows.map((row) => [row.key, spentInDay(broughtTo(row, now))]));
}

async function foldedShares(
  db: Db,
  { organization, keys, monthStart }: SpendQuery,
): Promise<Share[]> {
  const { number, perChunk } = LEVELS.month;
  const thisMonth = ordinalOf('month', monthStart);
  const rows = await db
    .selectFrom('usage_series as s')
    .innerJoin('usage_rollups as r', (join) =>
      join.onRef('r.organization', '=', 's.organization').onRef('r.series', '=', 's.id'),
    )
    .select(['s.key', 'r.chunk', 'r.cells'])
    .where('s.organization', '=', organization)
    .where('s.shape', '=', BigInt(shapeOf(['key'])))
    .where('s.key', 'in', keys)
    .where('r.level', '=', BigInt(number))
    .execute();
  return rows.map(({ key, chunk, cells }) => {
    const [before, since] = [noSums(), noSums()];
    const reader = new CellReader(cells);
    while (reader.next()) {
      const month = Number(chunk) * perChunk + reader.offset;
      reader.addCostTo(month < thisMonth ? before : since);
    }
    const month = costOf(since);
    return { key: key as KeyId, month, total: costOf(before) + month };
  });
}

type Halves = Readonly<{
  key: KeyId;
  total_high: bigint;
  total_low: bigint;
  month_high: bigint;
  month_low: bigint;
}>;

async function newShares(
  db: Db,
  { organization, keys, monthStart }: SpendQuery,
  folded: bigint,
): Promise<Share[]> {
  const inMonth = sql`case when created >= ${BigInt(monthStart)} then cost else 0 end`;
  const { rows } = await sql<Halves>`
    select key, ${sumHalves(sql`cost`, 'total')}, ${sumHalves(inMonth, 'month')}
    from usage where organization = ${organization} and seq > ${folded}
      and key in (${sql.join(keys)}) group by key
  `.execute(db);
  return rows.map(({ key, ...sums }) => ({
    key,
    month: joinHalves(sums.month_high, sums.month_low),
    total: joinHalves(sums.total_high, sums.total_low),
  }));
}

/**
 * Charges that were given back after they had been rolled up, until the next rollup includes the
 * reversal.
 */
async function returnedShares(
  db: Db,
  { organization, keys, monthStart }: SpendQuery,
  folded: bigint,
): Promise<Share[]> {
  const rows = await db
    .selectFrom('usage_reversals as r')
    .innerJoin('usage as u', 'u.request', 'r.request')
    .select(['u.key', 'u.created', 'u.cost', 'r.cost as was'])
    .where('r.organization', '=', organization)
    .where('u.seq', '<=', folded)
    .where('u.key', 'in', keys)
    .execute();
  return rows.map(({ key, created, cost, was }) => {
    const total = cost - was;
    return { key, month: Number(created) >= monthStart ? total : 0n, total };
  });
}
