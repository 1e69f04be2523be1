/** Checks accounts against their transfers, holds and usage, and all accounts together. */
import { sql } from 'kysely';
import { CHANGE } from '../ledger/transfer-sql.ts';
import { KINDS } from '../ledger/transfers.ts';
import { joinHalves, sumHalves, wholeSum } from '../store/halves.ts';
import { type Check, rowsOfNobody, rowsThatDiffer } from './check.ts';

const balances = rowsThatDiffer(
  sql<{ id: string; balance: bigint; total: bigint }>`
    select a.id, a.balance, ${wholeSum('s', 'change')} as total
    from accounts a left join (
      select t.organization, ${sumHalves(CHANGE, 'change')} from transfers t group by t.organization
    ) s on s.organization = a.id
    where a.balance <> ${wholeSum('s', 'change')}`,
  ({ id, balance, total }) =>
    `account ${id}: balance ${balance}, but its transfers sum to ${total}`,
);

const holds = rowsThatDiffer(
  sql<{
    id: string;
    held: bigint;
    reserve: bigint;
    open: bigint;
    amounts: bigint;
    slices: bigint;
    n: bigint;
  }>`
    select a.id, a.held, a.reserve, a.open,
      coalesce(s.amounts, 0) as amounts, coalesce(s.slices, 0) as slices, coalesce(s.n, 0) as n
    from accounts a left join (
      select organization, sum(amount) as amounts, sum(slice) as slices, count(*) as n
      from holds group by organization
    ) s on s.organization = a.id
    where a.held <> coalesce(s.amounts, 0) or a.reserve <> coalesce(s.slices, 0)
      or a.open <> coalesce(s.n, 0)`,
  ({ id, held, reserve, open, amounts, slices, n }) =>
    `account ${id}: held is ${held}, reserve is ${reserve} and open is ${open}, ` +
    `but its ${n} open holds sum to ${amounts} and ${slices}`,
);

/**
 * Numbers are unique in an organization, so the first, the last and the count prove that none is
 * missing. The first usage rows may have been forgotten, up to a number that is kept.
 */
function sequence(table: 'transfers' | 'usage', column: 'transfer_seq' | 'usage_seq'): Check {
  const gone = table === 'usage' ? sql`coalesce(f.seq, 0)` : sql`0`;
  return rowsThatDiffer(
    sql<{ id: string; last: bigint; rows: bigint; low: bigint; high: bigint }>`
      select a.id, a.${sql.ref(column)} as last, coalesce(s.n, 0) as rows,
        coalesce(s.low, 0) as low, coalesce(s.high, 0) as high
      from accounts a left join (
        select organization, count(*) as n, min(seq) as low, max(seq) as high
        from ${sql.table(table)} group by organization
      ) s on s.organization = a.id left join forgotten_usage f on f.organization = a.id
      where a.${sql.ref(column)} <> ${gone} + coalesce(s.n, 0)
        or coalesce(s.high, ${gone}) <> ${gone} + coalesce(s.n, 0)
        or coalesce(s.low, ${gone} + 1) <> ${gone} + 1`,
    ({ id, last, rows, low, high }) =>
      `account ${id}: ${column} is ${last}, but ${table} has ${rows} rows, numbered ${low} to ${high}`,
  );
}

const floors = rowsThatDiffer(
  // A dispute may take a suspended organization below its floor (MONEY 4).
  sql<{ id: string; balance: bigint; held: bigint; floor: bigint }>`
    select a.id, a.balance, a.held, a.floor
    from accounts a join organizations o on o.id = a.id
    where a.balance - a.held < a.floor and o.status = 'active'`,
  ({ id, balance, held, floor }) =>
    `account ${id}: balance ${balance} less ${held} held is below its floor ${floor}`,
);

const terms = rowsThatDiffer(
  sql<{ id: string; floor: bigint; billing: string; credit_limit: bigint }>`
    select a.id, a.floor, o.billing, o.credit_limit
    from accounts a join organizations o on o.id = a.id
    where a.floor <> case when o.billing = 'invoiced' then -o.credit_limit else 0 end
      or (o.billing = 'prepaid' and o.credit_limit <> 0)`,
  ({ id, floor, billing, credit_limit }) =>
    `account ${id}: its floor is ${floor}, but it is ${billing} with a credit limit of ${credit_limit}`,
);

const pairs = rowsThatDiffer(
  sql<{ id: string; present: string; absent: string }>`
    select id, present, absent from (
      select o.id, 'organization' as present, 'account' as absent from organizations o
      where not exists (select 1 from accounts a where a.id = o.id)
      union all
      select a.id, 'account', 'organization' from accounts a
      where not exists (select 1 from organizations o where o.id = a.id)
    ) unpaired`,
  ({ id, present, absent }) => `${present} ${id} has no ${absent}`,
);

export const checkAccounts: readonly Check[] = [
  balances,
  holds,
  sequence('transfers', 'transfer_seq'),
  sequence('usage', 'usage_seq'),
  floors,
  terms,
  pairs,
  rowsOfNobody('transfers'),
  rowsOfNobody('usage'),
  rowsOfNobody('holds'),
];

/** Debits equal credits: customers have exactly what the platform's accounts gave. */
const doubleEntry: Check = async (db) => {
  type Halves = { high: bigint | null; low: bigint | null };
  const platforms = [...new Set(Object.values(KINDS).map(({ platform }) => platform))];
  const names = sql.join(platforms.map((name) => sql.lit(name)));
  const gave = await sql<{ x_high: Halves['high']; x_low: Halves['low'] }>`
    select ${sumHalves(
      sql`case when t.debit in (${names}) then t.amount else 0 end
        - case when t.credit in (${names}) then t.amount else 0 end`,
      'x',
    )} from transfers t`.execute(db);
  const have = await sql<{ x_high: Halves['high']; x_low: Halves['low'] }>`
    select ${sumHalves(sql`balance`, 'x')} from accounts`.execute(db);
  const [debits, credits] = [gave, have].map(({ rows: [row] }) =>
    joinHalves(row?.x_high ?? null, row?.x_low ?? null),
  );
  if (debits === credits) return [];
  return [`the platform's accounts gave ${debits}, but customers have ${credits}`];
};

export const checkTotals: readonly Check[] = [doubleEntry];
