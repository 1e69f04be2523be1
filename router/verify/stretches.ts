/**
 * Checks that what an organization spent while it was invoiced is on exactly one invoice, and that
 * it paid everything else from credit. Invoices cover its stretches without a gap, as far as they
 * are due. The row in `invoicing` records how far it has been invoiced.
 */
import { sql } from 'kysely';
import { CHANGE, IS_INVOICE_PAYMENT } from '../ledger/transfer-sql.ts';
import { sumHalves, wholeSum } from '../store/halves.ts';
import { monthOf, nameOfMonth } from '../store/month.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { type Check, rowsThatDiffer } from './check.ts';

/** The last transfer of a stretch that is on an invoice, or the transfer before the stretch. */
const COVERED = sql`coalesce((
  select max(i.to_seq) from invoices i where i.organization = s.organization
    and i.from_seq >= s.from_seq and i.from_seq <= coalesce(s.to_seq, i.from_seq)), s.from_seq - 1)`;

const open = rowsThatDiffer(
  sql<{ id: string; billing: string; n: bigint }>`
    select o.id, o.billing, count(s.organization) as n from organizations o
      left join invoicing_stretches s on s.organization = o.id and s.to_seq is null
    group by o.id, o.billing
    having count(s.organization) <> case when o.billing = 'invoiced' then 1 else 0 end`,
  ({ id, billing, n }) =>
    `organization ${id}: it is ${billing}, but has ${n} open invoicing stretches`,
);

const placed = rowsThatDiffer(
  sql<{ organization: string; from_seq: bigint }>`
    select s.organization, s.from_seq from invoicing_stretches s
      left join accounts a on a.id = s.organization
      left join invoicing v on v.organization = s.organization
    where a.id is null or v.organization is null or s.to_seq > a.transfer_seq
      or s.from_seq > a.transfer_seq + 1
      or exists (select 1 from invoicing_stretches n where n.organization = s.organization
        and n.from_seq > s.from_seq and (s.to_seq is null or n.from_seq <= s.to_seq))`,
  ({ organization, from_seq }) =>
    `invoicing stretch of ${organization} from transfer ${from_seq} on: it does not fit the account or the other stretches`,
);

/** Within a stretch, each invoice begins after the one before. */
const covered = rowsThatDiffer(
  sql<{ id: string; from_seq: bigint; to_seq: bigint; wanted: bigint | null }>`
    select id, from_seq, to_seq, wanted from (
      select i.id, i.from_seq, i.to_seq, s.to_seq as last, v.seq,
        coalesce(1 + lag(i.to_seq) over (
          partition by i.organization, s.from_seq order by i.from_seq), s.from_seq) as wanted
      from invoices i
        left join invoicing_stretches s on s.organization = i.organization
          and i.from_seq >= s.from_seq and i.from_seq <= coalesce(s.to_seq, i.from_seq)
        left join invoicing v on v.organization = i.organization
    ) spans
    where wanted is null or seq is null or from_seq <> wanted or to_seq > seq or to_seq > last`,
  ({ id, from_seq, to_seq, wanted }) =>
    wanted === null
      ? `invoice ${id}: it covers transfers ${from_seq} to ${to_seq}, during which nothing was invoiced`
      : `invoice ${id}: it covers transfers ${from_seq} to ${to_seq}, but those from ${wanted} on are due`,
);

const missing = rowsThatDiffer(
  sql<{ organization: string; low: bigint; high: bigint }>`
    select s.organization, min(t.seq) as low, max(t.seq) as high
    from invoicing_stretches s join invoicing v on v.organization = s.organization
      join transfers t on t.organization = s.organization and t.seq > ${COVERED}
        and t.seq <= s.to_seq
    where s.to_seq <= v.seq and not ${IS_INVOICE_PAYMENT}
    group by s.organization, s.from_seq`,
  ({ organization, low, high }) =>
    `invoices of ${organization}: transfers ${low} to ${high} are on no invoice`,
);

/** An organization has been invoiced up to the end of its last invoice, or of its last stretch. */
const progress = rowsThatDiffer(
  sql<{ organization: string; seq: bigint; covered: bigint }>`
    select v.organization, v.seq, ${COVERED} as covered
    from invoicing v join invoicing_stretches s on s.organization = v.organization
    where not exists (select 1 from invoicing_stretches n
        where n.organization = s.organization and n.from_seq > s.from_seq)
      and v.seq <> ${COVERED} and (s.to_seq is null or v.seq < s.to_seq)`,
  ({ organization, seq, covered: to }) =>
    `invoicing of ${organization}: it is recorded up to transfer ${seq}, but its invoices end at ${to}`,
);

const balances = rowsThatDiffer(
  sql<{ organization: string; seq: bigint; balance: bigint; total: bigint | string }>`
    select v.organization, v.seq, v.balance, ${wholeSum('b', 'change')} as total
    from invoicing v left join accounts a on a.id = v.organization left join (
      select w.organization, ${sumHalves(CHANGE, 'change')}
      from invoicing w join transfers t on t.organization = w.organization and t.seq <= w.seq
      group by w.organization
    ) b on b.organization = v.organization
    where a.id is null or v.seq > a.transfer_seq or v.balance <> ${wholeSum('b', 'change')}`,
  ({ organization, seq, balance, total }) =>
    `invoicing of ${organization}: balance ${balance} after transfer ${seq}, but it was ${total}`,
);

/**
 * Months are closed in order, each when it is over: with its invoice, if it has one, or by its job.
 */
const months: Check = async (db, limit) => {
  const { rows } = await sql<{ newest: bigint | null }>`
    select max(created) as newest from (
      select max(created) as created from jobs where kind = 'invoice'
      union all select max(created) from invoices) dated`.execute(db);
  const running = monthOf(Number(rows[0]?.newest ?? 0n) + SKEW_MS);
  return await rowsThatDiffer(
    sql<{ organization: string; month: bigint | null }>`
      select v.organization, v.month from invoicing v
      where v.month >= ${sql.lit(running)} or exists (
        select 1 from invoices i
        where i.organization = v.organization and i.month > coalesce(v.month, 0)
          and not exists (select 1 from invoicing_stretches s
            where s.organization = i.organization and s.to_seq = i.to_seq))`,
    ({ organization, month }) =>
      `invoicing of ${organization}: its last closed month is recorded as ${month === null ? 'none' : nameOfMonth(month)}, which is wrong`,
  )(db, limit);
};

/** How far clocks may differ. */
const SKEW_MS = 2 * DAY_MS;

export const checkStretches: readonly Check[] = [
  open,
  placed,
  covered,
  missing,
  progress,
  balances,
  months,
];
