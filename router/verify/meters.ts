/** Checks the meters of keys against their open holds and their charges. */
import { type RawBuilder, sql } from 'kysely';
import { SPENT_MAX } from '../ledger/rules/spent.ts';
import { sumHalves, wholeSum } from '../store/halves.ts';
import { nameOfMonth, startOfMonth } from '../store/month.ts';
import type { Db } from '../store/procedure.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { type Check, rowsThatDiffer } from './check.ts';

const standing = rowsThatDiffer(
  sql<{ key: string; held: bigint; open: bigint; amounts: bigint; holds: bigint }>`
    select m.key, m.held, m.open, coalesce(s.amounts, 0) as amounts, coalesce(s.n, 0) as holds
    from meters m left join (
      select key, sum(amount) as amounts, count(*) as n from holds group by key
    ) s on s.key = m.key
    where m.held <> coalesce(s.amounts, 0) or m.open <> coalesce(s.n, 0)`,
  ({ key, held, open, amounts, holds }) =>
    `meter of ${key}: held is ${held} and open is ${open}, but its ${holds} open holds sum to ${amounts}`,
);

const unmetered = rowsThatDiffer(
  sql<{ key: string }>`
    select distinct h.key from holds h
    where not exists (select 1 from meters m where m.key = h.key)`,
  ({ key }) => `key ${key} has open holds, but no meter`,
);

type Spent = Readonly<{
  key: string;
  /** Null: the key has no meter. */
  month: bigint | null;
  spent: bigint;
  /** PostgreSQL returns sums as text. */
  low: bigint | string;
  high: bigint | string;
  later: bigint;
}>;

/**
 * What a key has spent in the month of its meter. A meter moves to the next month with the first
 * operation of its key there, and from then on counts each charge as it comes, whatever its time.
 * So a charge submitted just before midnight, or by a router whose clock is behind, may count for
 * either month. So may a charge made before the store had meters. If a key has such charges, what
 * it has spent is only known to be between two bounds; otherwise it is exact. The bounds also allow
 * for a charge of an older month that was reversed in this one, which lowers what was spent in this
 * one, at most to zero. A meter without a month has spent nothing, and a meter whose charges exceed
 * 64 bits has less than their sum. A month whose usage rows are partly forgotten is not checked.
 */
const spent: Check = async (db, limit) => {
  const since = Math.ceil((await readMeteredSince(db)) / DAY_MS);
  const months = await readMonths(db);
  const bounds = months.map((month) => {
    const [first, next] = [firstDay(month), firstDay(month + 1n)];
    const row = [month, first - SKEW_DAYS_MAX, Math.max(first, since), next];
    return sql`(${sql.join(row.map((bound) => sql.lit(bound)))})`;
  });
  return await rowsThatDiffer(
    sql<Spent>`
      with months (month, maybe, surely, next) as (values ${sql.join(bounds)}),
      days as materialized (${chargesByDay(months)}),
      backs as materialized (${reversalsByDay}),
      bounded as (
        select k.key, m.month, m.spent,
          count(case when d.day >= s.next then 1 end) as later,
          ${sumOfDays(sql`d.day >= s.surely`, 'certain')},
          ${sumOfDays(sql`d.day < s.surely`, 'late')},
          coalesce((select ${wholeSum('b', 'amount')} from (
            select sum(amount_high) as amount_high, sum(amount_low) as amount_low from backs
            where key = k.key and charged < s.surely and reversed >= s.maybe
          ) b), 0) as back,
          count(f.seq) as forgotten
        from (
          select key from meters union select key from days where day >= ${sql.lit(since)}
        ) k
          left join meters m on m.key = k.key
          left join months s on s.month = m.month
          left join days d on d.key = k.key and d.day >= s.maybe
          left join forgotten_usage f on f.organization = m.organization
            and f.until / ${sql.lit(DAY_MS)} >= s.maybe - ${sql.lit(SKEW_DAYS_MAX)}
        group by k.key, m.month, m.spent, s.surely, s.maybe
      ),
      compared as (
        select key, month, spent, later, forgotten, ${wholeSum('bounded', 'certain')} - back as low,
          ${wholeSum('bounded', 'certain')} + ${wholeSum('bounded', 'late')} as high
        from bounded
      )
      select key, month, spent, low, high, later from compared
      where month is null or spent < 0 or later > 0
        or (forgotten = 0 and (spent > high or (spent < low and high <= ${sql.lit(SPENT_MAX)})))`,
    sentenceOf,
  )(db, limit);
};

function sentenceOf({ key, month, spent: meter, low, high, later }: Spent): string {
  if (month === null) return `key ${key} has charges, but no meter`;
  const name = month > 0n ? nameOfMonth(month) : 'no month';
  if (later > 0n)
    return `meter of ${key}: it is for ${name}, but the key was charged in a later month`;
  const [least, most] = [BigInt(low), BigInt(high)];
  const sum = least === most ? most : `between ${least < 0n ? 0 : least} and ${most}`;
  return `meter of ${key}: ${meter} spent in ${name}, but its charges then sum to ${sum}`;
}

/** How far a clock may be behind or be set back, with the time that a request may take. */
const SKEW_DAYS_MAX = 2;

/**
 * What each key was charged, one row for each day. The exact time of a charge matters only within
 * days of a month's end. Elsewhere the day of arrival will do, which saves reading the transfer.
 */
function chargesByDay(months: readonly bigint[]): RawBuilder<unknown> {
  const ends = new Set(months.flatMap((month) => [firstDay(month), firstDay(month + 1n)]));
  const isNear = [...ends].map((end) => {
    const [from, to] = [end - SKEW_DAYS_MAX, end + SKEW_DAYS_MAX].map((day) => day * DAY_MS);
    return sql`u.created between ${sql.lit(from)} and ${sql.lit(to)}`;
  });
  return sql`
    select key, day, ${sumHalves(sql`cost`, 'amount')} from (
      select u.key, u.cost, (case when ${sql.join(isNear, sql` or `)}
        then (select t.created from transfers t where t.id = u.transfer)
        else u.created end) / ${sql.lit(DAY_MS)} as day
      from usage u where u.outcome = 'settled' and u.transfer is not null
    ) charged group by key, day`;
}

/** The charges that were reversed, by the days of the charge and of its reversal. */
const reversalsByDay = sql`
  select u.key, t.created / ${sql.lit(DAY_MS)} as charged, r.created / ${sql.lit(DAY_MS)} as reversed,
    ${sumHalves(sql`t.amount`, 'amount')}
  from usage u join transfers t on t.id = u.transfer
    join transfers r on r.id = u.transfer || '_reversal'
  where u.outcome = 'voided' group by 1, 2, 3`;

function sumOfDays(condition: RawBuilder<unknown>, name: string): RawBuilder<unknown> {
  const half = (of: 'high' | 'low') => sql`
    sum(case when ${condition} then ${sql.ref(`d.amount_${of}`)} else 0 end)
      as ${sql.ref(`${name}_${of}`)}`;
  return sql`${half('high')}, ${half('low')}`;
}

/** Returns the first day of a month, in days since the epoch. */
function firstDay(month: bigint): number {
  return startOfMonth(month) / DAY_MS;
}

/** When migration 0002 gave the store its meters, ms since the epoch; 0 if that is not known. */
async function readMeteredSince(db: Db): Promise<number> {
  const { rows } = await sql<{ timestamp: string }>`
    select timestamp from kysely_migration where name = '0002-limits'`.execute(db);
  return Date.parse(rows[0]?.timestamp ?? '') || 0;
}

/** Only the years 1000 to 10000: no charge belongs to a damaged meter beyond them. */
async function readMonths(db: Db): Promise<readonly bigint[]> {
  const { rows } = await sql<{ month: bigint }>`
    select distinct month from meters where month between 12000 and 120000`.execute(db);
  const months = rows.map(({ month }) => month);
  return months.length > 0 ? months : ANY_MONTH;
}

/** SQL's `values` cannot be an empty list. */
const ANY_MONTH: readonly bigint[] = [12_000n];

export const checkMeters: readonly Check[] = [standing, unmetered, spent];
