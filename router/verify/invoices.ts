/** Checks invoices against their transfers, one another, and the payments that ended them. */
import { sql } from 'kysely';
import { CHANGE, IS_INVOICE_PAYMENT } from '../ledger/transfer-sql.ts';
import { highOf, lowOf, sumHalves, whole, wholeSum } from '../store/halves.ts';
import { nameOfMonth, startOfMonth } from '../store/month.ts';
import type { Db } from '../store/procedure.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { dueOf, PICO_PER_CENT } from '../../shared/invoice-amounts.ts';
import { type Check, rowsThatDiffer } from './check.ts';

type Billed = Readonly<{
  id: string;
  total: bigint;
  brought_forward: bigint;
  amount_due: bigint;
  taken: bigint | string;
  left: bigint | string;
}>;

/** What `remaining` leaves to be paid. */
const OWED = sql`(case when remaining < 0 then -remaining else 0 end)`;
const CENT = sql.lit(PICO_PER_CENT);

/**
 * The amounts of each invoice: what its transfers took, less what was left before. `left` is the
 * balance after its last transfer, with what was due then on other open invoices: those that are
 * still open, were paid by a later transfer, or were withdrawn after this one was issued. If it is a
 * debt, its whole cents are due; an invoice of an earlier version asks for all of it.
 */
const amounts: Check = async (db, limit) => {
  const { rows } = await sql<Billed>`
    with spans as (
      select i.*, coalesce(lag(i.to_seq) over (
        partition by i.organization order by i.to_seq), 0) as before
      from invoices i
    ), moved as (
      select s.id, ${sumHalves(CHANGE, 'change')}, ${sumHalves(
        sql`case when t.seq < s.from_seq or ${IS_INVOICE_PAYMENT} then 0 else -(${CHANGE}) end`,
        'taken',
      )}
      from spans s join transfers t
        on t.organization = s.organization and t.seq > s.before and t.seq <= s.to_seq
      group by s.id
    ), closings as (
      select s.id, s.organization, s.number, s.to_seq, s.total, s.brought_forward, s.amount_due,
        ${wholeSum('m', 'taken')} as taken,
        sum(m.change_high) over (partition by s.organization order by s.to_seq) as change_high,
        sum(m.change_low) over (partition by s.organization order by s.to_seq) as change_low
      from spans s left join moved m on m.id = s.id
    ), lefts as (
      select c.*, ${wholeSum('c', 'change')} + coalesce((
        select sum(o.amount_due) from invoices o left join transfers p on p.id = o.transfer
        where o.organization = c.organization and o.number < c.number
          and (o.status = 'open' or p.seq > c.to_seq
            or (o.status = 'void' and o.void_after >= c.number))), 0) as remaining
      from closings c
    )
    select id, total, brought_forward, amount_due, taken, remaining as ${sql.ref('left')}
    from lefts
    where total <> taken or brought_forward <> remaining + taken
      or (amount_due <> ${OWED} and not (amount_due % ${CENT} = 0
        and ${OWED} - amount_due >= 0 and ${OWED} - amount_due < ${CENT}))
    limit ${sql.lit(limit)}`.execute(db);
  return rows.flatMap(faultsOf);
};

function faultsOf(invoice: Billed): string[] {
  const { id, total, brought_forward, amount_due } = invoice;
  const [taken, left] = [BigInt(invoice.taken), BigInt(invoice.left)];
  const owed = left < 0n ? -left : 0n;
  const faults: string[] = [];
  if (total !== taken)
    faults.push(`invoice ${id}: its total is ${total}, but its transfers took ${taken}`);
  if (brought_forward !== left + taken) {
    faults.push(
      `invoice ${id}: brings ${brought_forward} forward, but ${left + taken} was left from before`,
    );
  }
  if (amount_due !== owed && amount_due !== dueOf(left)) {
    faults.push(`invoice ${id}: ${amount_due} is due, but its transfers leave ${owed} to be paid`);
  }
  return faults;
}

const sums = rowsThatDiffer(
  sql<{ id: string; total: bigint }>`
    select i.id, i.total from invoices i
    where i.total <> coalesce((select sum(l.amount) from invoice_lines l where l.invoice = i.id), 0)`,
  ({ id, total }) => `invoice ${id}: its lines do not add up to ${total}`,
);

/** Once usage rows are forgotten, the models and token counts of their charges are not known. */
const IS_FORGOTTEN = sql`coalesce(f.transfer_seq, 0) >= i.from_seq`;
const kept = (column: string, otherwise: string) =>
  sql`case when ${IS_FORGOTTEN} then ${sql.raw(otherwise)} else coalesce(${sql.raw(column)}, ${sql.raw(otherwise)}) end`;
/** The sign of a charge, or of its reversal. */
const SIGN = sql`case when t.kind = 'reversal' then -1 else 1 end`;

/** Each line equals the transfers of its kind, model and price. */
const lines = rowsThatDiffer(
  sql<{ invoice: string; kind: string; model: string }>`
    select invoice, kind, model, price from (
      select l.invoice, l.kind, ${kept('l.model', "''")} as model, ${kept('l.price', "''")} as price,
        l.count as n, ${kept('l.prompt_tokens', '0')} as prompt,
        ${kept('l.cached_tokens', '0')} as cached, ${kept('l.completion_tokens', '0')} as completion,
        ${highOf(sql`l.amount`)} as high, ${lowOf(sql`l.amount`)} as low
      from invoice_lines l join invoices i on i.id = l.invoice
        left join forgotten_usage f on f.organization = i.organization
      union all
      select i.id, case when t.kind = 'reversal' then 'usage' else t.kind end,
        ${kept('u.model', "''")}, ${kept('u.price', "''")},
        -sum(${SIGN}), -sum((${SIGN}) * ${kept('u.prompt_tokens', '0')}),
        -sum((${SIGN}) * ${kept('u.cached_tokens', '0')}),
        -sum((${SIGN}) * ${kept('u.completion_tokens', '0')}),
        sum(${highOf(CHANGE)}), sum(${lowOf(CHANGE)})
      from invoices i
        join transfers t on t.organization = i.organization
          and t.seq >= i.from_seq and t.seq <= i.to_seq
        left join usage u on u.request = t.reference and t.kind in ('usage', 'reversal')
        left join forgotten_usage f on f.organization = i.organization
      where not ${IS_INVOICE_PAYMENT}
      group by 1, 2, 3, 4
    ) compared group by invoice, kind, model, price
    having sum(n) <> 0 or sum(prompt) <> 0 or sum(cached) <> 0 or sum(completion) <> 0
      or ${whole(sql`sum(high)`, sql`sum(low)`)} <> 0`,
  ({ invoice, kind, model }) =>
    `invoice ${invoice}: its lines of ${kind}${model === '' ? '' : ` of ${model}`} do not match its transfers`,
);

const positions = rowsThatDiffer(
  sql<{ invoice: string; known: string | null }>`
    select l.invoice, i.id as known from invoice_lines l left join invoices i on i.id = l.invoice
    group by l.invoice, i.id
    having i.id is null or min(l.position) <> 1 or max(l.position) <> count(*)`,
  ({ invoice, known }) =>
    known === null
      ? `invoice lines: there are lines of invoice ${invoice}, which does not exist`
      : `invoice ${invoice}: its lines are not numbered from 1 without gaps`,
);

const numbers = rowsThatDiffer(
  sql<{ n: bigint; low: bigint; high: bigint }>`
    select n, low, high from (
      select count(*) as n, min(number) as low, max(number) as high from invoices) counted
    where n > 0 and (low <> 1 or high <> n)`,
  ({ n, low, high }) => `invoices: there are ${n}, but they are numbered ${low} to ${high}`,
);

const terms = rowsThatDiffer(
  sql<{ id: string }>`
    select i.id from invoices i
    where i.due <> i.created + i.terms_days * ${sql.lit(DAY_MS)}`,
  ({ id }) => `invoice ${id}: its due date does not match its date of issue and its terms`,
);

const payments = rowsThatDiffer(
  sql<{ id: string }>`
    select i.id from invoices i left join transfers t on t.id = i.transfer
    where (i.status = 'paid' and i.amount_due > 0) <> (i.transfer is not null)
      or (i.status = 'open' and i.amount_due = 0) or (i.status = 'open') <> (i.ended is null)
      or (i.transfer is not null and (t.id is null or t.kind <> 'payment'
        or t.organization <> i.organization or t.reference <> i.id or t.amount <> i.amount_due))`,
  ({ id }) => `invoice ${id}: its state does not match its payment`,
);

const withdrawn = rowsThatDiffer(
  sql<{ id: string }>`
    select i.id from invoices i
    where (i.status = 'void') <> (i.void_after is not null)
      or (i.void_after is not null and (i.void_after < i.number or not exists (
        select 1 from invoices o
        where o.organization = i.organization and o.number = i.void_after)))`,
  ({ id }) =>
    `invoice ${id}: void_after does not match its state or the invoices of its organization`,
);

/** The ids of invoices have a prefix of their own, which no provider's payment has. */
const unexplained = rowsThatDiffer(
  sql<{ id: string; reference: string }>`
    select t.id, t.reference from transfers t
    where t.kind = 'payment' and substr(t.reference, 1, 4) = 'ivc_'
      and not exists (select 1 from invoices i where i.id = t.reference and i.transfer = t.id)`,
  ({ id, reference }) => `transfer ${id}: it paid invoice ${reference}, which does not name it`,
);

type Dated = Readonly<{ id: string; month: bigint }>;

/** How far clocks may differ, with the time between the turn of a month and its job. */
const SKEW_MS = 2 * DAY_MS;

/**
 * The month of each invoice. Its last transfer is not of a later month, nor of an earlier one,
 * except that the first invoice of a stretch may come late. It was issued after its month or, if it
 * ends its stretch, after the month's beginning. The next invoice is of no earlier month.
 */
const months: Check = async (db, limit) => {
  const known = await readMonths(db);
  if (known.length === 0) return [];
  const rows = known.map((month) => sql`(${sql.lit(month)}, ${sql.lit(startOfMonth(month))})`);
  return await rowsThatDiffer(
    sql<Dated>`
      with months (month, start) as (values ${sql.join(rows)}),
      dated as (
        select i.id, i.month, i.created, t.created as newest, m.start, n.start as over,
          lag(i.month) over (partition by i.organization order by i.number) as before,
          exists (select 1 from invoicing_stretches s where s.organization = i.organization
            and s.from_seq = i.from_seq) as begins,
          exists (select 1 from invoicing_stretches s where s.organization = i.organization
            and s.to_seq = i.to_seq) as ends
        from invoices i
          left join months m on m.month = i.month left join months n on n.month = i.month + 1
          left join transfers t on t.organization = i.organization and t.seq = i.to_seq
      )
      select id, month from dated
      where start is null or before > month or newest >= over
        or (not begins and newest < start - ${sql.lit(SKEW_MS)})
        or created < case when ends then start else over end - ${sql.lit(SKEW_MS)}`,
    ({ id, month }) =>
      `invoice ${id}: ${nameOfMonth(month)} is not the month that it was issued for`,
  )(db, limit);
};

/** The months of invoices and those after them, within the years 1000 to 10000. */
async function readMonths(db: Db): Promise<readonly bigint[]> {
  const { rows } = await sql<{ month: bigint }>`
    select month from invoices where month between 12000 and 120000
    union select month + 1 from invoices where month between 12000 and 120000`.execute(db);
  return rows.map(({ month }) => month);
}

export const checkInvoices: readonly Check[] = [
  amounts,
  sums,
  lines,
  positions,
  numbers,
  terms,
  payments,
  withdrawn,
  unexplained,
  months,
];
