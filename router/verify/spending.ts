/**
 * Checks what keys have spent in their newest day, and what the keys of members with a cap have
 * spent together, against the charges.
 */
import { type RawBuilder, sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '../../shared/durations.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import { SPENT_MAX } from '../ledger/rules/spent.ts';
import { sumHalves, wholeSum } from '../store/halves.ts';
import { nameOfMonth, startOfMonth } from '../store/month.ts';
import type { Db } from '../store/procedure.ts';
import { type Check, rowsThatDiffer } from './check.ts';

/** How far a clock may be behind or be set back, with the time that a request may take. */
const SKEW_MS = 2 * DAY_MS;

type Table = 'meters' | 'member_caps';
/** Both the primary key of the table, and the column of a usage row. */
const SUBJECTS = { meters: 'key', member_caps: 'member' } as const;

/** Skips organizations some of whose usage rows of these months are forgotten. */
const isKept = sql`not exists (select 1 from forgotten_usage f
  where f.organization = k.organization and f.until >= k.start - ${sql.lit(SKEW_MS)})`;

type Before = Readonly<{
  subject: string;
  organization: OrganizationId;
  day: bigint;
  before: bigint;
  most: bigint | string;
}>;

/** How many wrong rows are looked at, of which some may turn out to be right. */
const ROWS_MAX = 10_000;

/**
 * What was spent in the month before the newest day began: at most the charges that were submitted
 * before that. If it were more, less would count in the day than was spent. It may be less, because
 * such a charge may have been booked later. It may include a charge of just before the month, and one
 * that was reversed since. A router of an earlier version begins a month, but no day: then there is
 * nothing to check. What was spent in the month as a whole is checked elsewhere.
 */
function beforeDay(table: Table): Check {
  const subject = SUBJECTS[table];
  return async (db, limit) => {
    const { rows } = await sql<Before>`
        with months (month, start) as (values ${await monthsOf(db, table)}),
        counters as (
          select ${sql.ref(`c.${subject}`)} as subject, c.organization, s.start, c.day_from,
            c.before_day
          from ${sql.table(table)} c join months s on s.month = c.month
          where c.before_day <> 0 and c.day_from >= s.start
        ),
        charges as (
          select k.subject, ${sumHalves(sql`u.cost`, 'amount')}
          from usage u join counters k on k.subject = ${sql.ref(`u.${subject}`)}
          where u.outcome = 'settled' and u.created < k.day_from
            and u.created >= k.start - ${sql.lit(SKEW_MS)}
            and (u.created < k.day_from - ${sql.lit(SKEW_MS)} or not exists (
              select 1 from transfers t where t.id = u.transfer and t.created >= k.day_from))
          group by k.subject
        ),
        backs as (${reversed(subject, sql`k.day_from`)})
        select k.subject, k.organization, k.day_from as day, k.before_day as before,
          ${wholeSum('h', 'amount')} + ${wholeSum('b', 'amount')} as most
        from counters k left join charges h on h.subject = k.subject
          left join backs b on b.subject = k.subject
        where ${isKept} and (k.before_day < 0
          or k.before_day > ${wholeSum('h', 'amount')} + ${wholeSum('b', 'amount')})
        limit ${sql.lit(ROWS_MAX)}`.execute(db);
    const differences: string[] = [];
    for (const row of rows) {
      if (differences.length >= limit) break;
      if (table === 'meters' && (await isOfBookingOrder(db, row))) continue;
      const { subject: id, day, before, most } = row;
      const at = shownInstant(day);
      differences.push(
        `${subject} ${id}: ${before} spent before ${at}, but its charges before that sum to ${most}`,
      );
    }
    return differences;
  };
}

/** An instant in ISO 8601; a damaged one, which no clock has, in ms. */
function shownInstant(ms: bigint): string {
  const at = new Date(Number(ms));
  return Number.isNaN(at.getTime()) ? `${ms} ms` : at.toISOString();
}

/**
 * How long an operation may wait for its turn in the store (`BATCH_MS_MAX` of
 * `store/postgres/batch-connections.ts`).
 */
const TURN_MS = 5_000n;

/**
 * Whether what a key had spent is a sum of charges in the order in which they were booked. A router of
 * an earlier version begins no day: a charge of it may be booked before the operation that begins the
 * day, although it was submitted a little later.
 */
async function isOfBookingOrder(
  db: Db,
  { subject: key, organization, day, before, most }: Before,
): Promise<boolean> {
  const submitted = sql<bigint>`coalesce(t.created, u.created)`;
  const charges = sql`usage u left join transfers t on t.id = u.transfer
    where u.organization = ${organization} and u.key = ${key} and u.outcome = 'settled'
      and ${submitted} < ${sql.lit(day + TURN_MS)}`;
  const { rows } = await sql<{ cost: bigint; isBefore: bigint }>`
    select u.cost, case when ${submitted} < ${sql.lit(day)} then 1 else 0 end as "isBefore"
    from ${charges} and u.seq >= (
      select min(u.seq) from ${charges} and ${submitted} >= ${sql.lit(day)})
    order by u.seq`.execute(db);
  const ofBefore = rows.filter(({ isBefore }) => Number(isBefore) === 1);
  let booked = ofBefore.reduce((sum, { cost }) => sum - cost, BigInt(most));
  return rows.some(({ cost }) => (booked += cost) === before);
}

type Month = Readonly<{
  member: string;
  month: bigint;
  spent: bigint;
  low: bigint | string;
  high: bigint | string;
}>;

/**
 * What the keys of a member have spent in a month. As for the meters of keys, a charge submitted
 * just before the month may count for it, and a charge of an earlier month that was reversed in this
 * one lowers it. A router of an earlier version does not count for members: that is a difference
 * until the caps are set again, which counts anew.
 */
const ofMembers: Check = async (db, limit) =>
  await rowsThatDiffer(
    sql<Month>`
      with months (month, start) as (values ${await monthsOf(db, 'member_caps')}),
      counters as (
        select c.member as subject, c.organization, c.month, c.spent, s.start
        from member_caps c join months s on s.month = c.month
      ),
      charges as (
        select k.subject,
          ${sumHalves(sql`case when coalesce(t.created, u.created) >= k.start then u.cost else 0 end`, 'certain')},
          ${sumHalves(sql`case when coalesce(t.created, u.created) < k.start then u.cost else 0 end`, 'late')}
        from usage u join counters k on k.subject = u.member
          left join transfers t on t.id = u.transfer
        where u.outcome = 'settled' and u.created >= k.start - ${sql.lit(SKEW_MS)}
        group by k.subject
      ),
      backs as (${reversed('member', sql`k.start`)}),
      compared as (
        select k.subject as member, k.month, k.spent,
          ${wholeSum('h', 'certain')} - ${wholeSum('b', 'amount')} as low,
          ${wholeSum('h', 'certain')} + ${wholeSum('h', 'late')} as high
        from counters k left join charges h on h.subject = k.subject
          left join backs b on b.subject = k.subject
        where ${isKept}
      )
      select member, month, spent, low, high from compared
      where spent < 0 or spent > high or (spent < low and spent < ${sql.lit(SPENT_MAX)})`,
    ({ member, month, spent, low, high }) => {
      const [least, most] = [BigInt(low), BigInt(high)];
      const sum = least === most ? most : `between ${least < 0n ? 0 : least} and ${most}`;
      return `member ${member}: ${spent} spent in ${nameOfMonth(month)}, but the charges of their keys then sum to ${sum}`;
    },
  )(db, limit);

/** The charges from before an instant that were reversed since, by subject. */
function reversed(subject: 'key' | 'member', since: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select k.subject, ${sumHalves(sql`t.amount`, 'amount')}
    from usage u join counters k on k.subject = ${sql.ref(`u.${subject}`)}
      join transfers t on t.id = u.transfer
      join transfers r on r.id = u.transfer || '_reversal'
    where u.outcome = 'voided' and u.created < ${since}
      and r.created >= ${since} - ${sql.lit(HOUR_MS)}
    group by k.subject`;
}

/**
 * The months of a table with their starts, ms since the epoch, as rows of `values`. Only the years
 * 1000 to 10000, as for meters. The list cannot be empty.
 */
async function monthsOf(db: Db, table: Table): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ month: bigint }>`
    select distinct month from ${sql.table(table)} where month between 12000 and 120000`.execute(
    db,
  );
  const months = rows.length > 0 ? rows.map(({ month }) => month) : [12_000n];
  return sql.join(
    months.map((month) => sql`(${sql.lit(month)}, ${sql.lit(BigInt(startOfMonth(month)))})`),
  );
}

const ofAnother = rowsThatDiffer(
  sql<{ member: string; organization: string; owner: string }>`
    select c.member, c.organization, m.organization as owner
    from member_caps c join members m on m.id = c.member where m.organization <> c.organization`,
  ({ member, organization, owner }) =>
    `member_caps: there are rows of ${organization} with member ${member}, who belongs to ${owner}`,
);

const counts = rowsThatDiffer(
  sql<{ id: string; capped: bigint; rows: bigint }>`
    select a.id, a.capped_members as capped, coalesce(s.n, 0) as rows
    from accounts a left join (
      select organization, count(*) as n from member_caps group by organization
    ) s on s.organization = a.id
    where a.capped_members <> coalesce(s.n, 0)`,
  ({ id, capped, rows }) =>
    `account ${id}: capped_members is ${capped}, but ${rows} members have caps`,
);

/** A hold that counts for a member who did not create its key would block that member wrongly. */
const ofHolds = rowsThatDiffer(
  sql<{ request: string; member: string }>`
    select h.request, h.member from holds h where h.member is not null and (
      not exists (select 1 from member_caps c where c.member = h.member)
      or exists (select 1 from keys k
        where k.id = h.key and (k.member is null or k.member <> h.member)))`,
  ({ request, member }) =>
    `hold ${request}: it counts for member ${member}, who has no cap or did not create its key`,
);

export const checkSpending: readonly Check[] = [
  beforeDay('meters'),
  beforeDay('member_caps'),
  ofMembers,
  ofAnother,
  ofHolds,
  counts,
];
