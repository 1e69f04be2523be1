/**
 * Selects and sums the transfers of an invoice. A span is a range of sequence numbers, so that each
 * transfer is on exactly one invoice (MONEY 3); timestamps only decide which transfer is a month's
 * last. Transfers are summed in slices, so that no snapshot stays open for long (MONEY 24). This is
 * exact, because transfers never change.
 */
import { sql } from 'kysely';
import type { OrganizationId, PriceId } from '../../../shared/ids.ts';
import { joinHalves, sumHalves } from '../../store/halves.ts';
import { monthOf, startOfMonth } from '../../store/month.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import type { InvoiceLineRow } from '../../store/schema/invoices.ts';
import type { Store } from '../../store/store.ts';

/**
 * Both ends are included. The span is empty when `to` is less than `from`. `opening`: the balance
 * before it.
 */
export type Span = Readonly<{ from: bigint; to: bigint; opening: bigint }>;

/**
 * Finds the span of a month. It ends with the stretch at the latest. Returns null when the month is
 * closed or the organization is not set up for invoicing.
 */
export const findSpan = readProcedure<
  Readonly<{ organization: OrganizationId; month: bigint }>,
  Span | null
>('findSpan', async (db, { organization, month }) => {
  const invoiced = await db
    .selectFrom('invoicing')
    .innerJoin('accounts', 'accounts.id', 'invoicing.organization')
    .select(['invoicing.seq', 'invoicing.balance', 'invoicing.month', 'accounts.transfer_seq'])
    .where('invoicing.organization', '=', organization)
    .executeTakeFirst();
  if (!invoiced || (invoiced.month !== null && invoiced.month >= month)) return null;
  const { seq, transfer_seq, balance: opening } = invoiced;
  const newest = (await readEnd(db, organization)) ?? transfer_seq;
  const to = await lastBefore(db, organization, startOfMonth(month + 1n), { after: seq, newest });
  return { from: seq + 1n, to, opening };
});

/**
 * `month`: that of the invoice. `newest`: the last transfer, which is beyond the span while the month is
 * over and not closed yet. `balance`: after `newest`.
 */
export type SpanSoFar = Readonly<{ span: Span; month: bigint; newest: bigint; balance: bigint }>;

/**
 * Finds what the next invoice has so far, of an organization that is invoiced. Returns null when its
 * newest stretch has ended, or when it has none.
 */
export const findSpanSoFar = readProcedure<
  Readonly<{ organization: OrganizationId; now: number }>,
  SpanSoFar | null
>('findSpanSoFar', async (db, { organization, now }) => {
  const open = await db
    .selectFrom('invoicing as i')
    .innerJoin('accounts as a', 'a.id', 'i.organization')
    .innerJoin('invoicing_stretches as s', 's.organization', 'i.organization')
    .leftJoin('transfers as t', (join) =>
      join.onRef('t.organization', '=', 'i.organization').on(sql<boolean>`t.seq = i.seq + 1`),
    )
    .select([
      'i.seq',
      'i.balance as opening',
      'i.month',
      'a.transfer_seq',
      'a.balance',
      't.created',
    ])
    .where('i.organization', '=', organization)
    .where('s.to_seq', 'is', null)
    .executeTakeFirst();
  if (!open) return null;
  const { seq, opening, transfer_seq: newest, balance } = open;
  const present = monthOf(now);
  const first = open.created === null ? present : monthOf(Number(open.created));
  const month = monthSoFar({ first, closed: open.month, present });
  const to =
    month === present
      ? newest
      : await lastBefore(db, organization, startOfMonth(month + 1n), { after: seq, newest });
  return { span: { from: seq + 1n, to, opening }, month, newest, balance };
});

/**
 * The month of an invoice whose first transfer is of the month `first`. Months without transfers are
 * closed without an invoice, and the first one that is closed has everything before it. Another
 * router's clock may be ahead.
 */
function monthSoFar({
  first,
  closed,
  present,
}: Readonly<{ first: bigint; closed: bigint | null; present: bigint }>): bigint {
  if (first >= present) return present;
  if (closed === null) return present - 1n;
  const unclosed = closed < first ? first : closed + 1n;
  return unclosed < present ? unclosed : present;
}

/**
 * The last transfer of the newest stretch; the stretches before it are fully invoiced. Null when it
 * has not ended.
 */
async function readEnd(db: Db, organization: OrganizationId): Promise<bigint | null> {
  const newest = await db
    .selectFrom('invoicing_stretches')
    .select('to_seq')
    .where('organization', '=', organization)
    .orderBy('from_seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.to_seq ?? null;
}

/**
 * The rest to be invoiced for an organization that prepays again. `unclosed`: the earlier months
 * that are still open.
 */
export type LastSpan = Readonly<{ span: Span; month: bigint; unclosed: readonly bigint[] }>;

/**
 * Returns null when nothing is left, or when the organization is invoiced again. `month` is that of
 * the last transfer.
 */
export const findLastSpan = readProcedure<
  Readonly<{ organization: OrganizationId }>,
  LastSpan | null
>('findLastSpan', async (db, { organization }) => {
  const left = await db
    .selectFrom('invoicing as i')
    .innerJoin('invoicing_stretches as s', 's.organization', 'i.organization')
    .innerJoin('transfers as t', (join) =>
      join.onRef('t.organization', '=', 's.organization').onRef('t.seq', '=', 's.to_seq'),
    )
    .select(['i.seq', 'i.balance', 'i.month', 's.to_seq', 't.created'])
    .where('i.organization', '=', organization)
    .whereRef('s.to_seq', '>', 'i.seq')
    .executeTakeFirst();
  if (!left || left.to_seq === null) return null;
  const span = { from: left.seq + 1n, to: left.to_seq, opening: left.balance };
  const month = monthOf(Number(left.created));
  const first = left.month === null ? month : left.month + 1n;
  const unclosed: bigint[] = [];
  for (let before = first; before < month; before++) unclosed.push(before);
  return { span, month, unclosed };
});

/**
 * Finds the last transfer before an instant by binary search. Sequence numbers have no gaps, and
 * timestamps rise with them except for clock differences between routers. Such a difference may
 * move a transfer at the turn of a month into the other month, which is harmless: each transfer is
 * still invoiced once.
 */
async function lastBefore(
  db: Db,
  organization: OrganizationId,
  instant: number,
  { after, newest }: Readonly<{ after: bigint; newest: bigint }>,
): Promise<bigint> {
  let before = after;
  let beyond = newest + 1n;
  while (beyond - before > 1n) {
    const middle = (before + beyond) / 2n;
    const { created } = await db
      .selectFrom('transfers')
      .select('created')
      .where('organization', '=', organization)
      .where('seq', '=', middle)
      .executeTakeFirstOrThrow();
    if (created < BigInt(instant)) before = middle;
    else beyond = middle;
  }
  return before;
}

/**
 * The sum of some transfers, as a line of an invoice has it; `invoice_payment` is a kind too. A
 * reversal subtracts the requests and tokens of the charge that it gives back.
 */
export type LineSum = Readonly<Omit<InvoiceLineRow, 'invoice' | 'position'>>;

/** A sum of 64-bit integers: SQLite returns a bigint, PostgreSQL a decimal string. */
type Wide = bigint | string;
type SumRow = {
  kind: string;
  model: string | null;
  price: PriceId | null;
  count: Wide;
  prompt_tokens: Wide;
  cached_tokens: Wide;
  completion_tokens: Wide;
  lost_high: Wide;
  lost_low: Wide;
};

const SLICE_TRANSFERS = 2_000n;

export const sumInvoiceSlice = readProcedure<
  Readonly<{ organization: OrganizationId; from: bigint; to: bigint }>,
  readonly LineSum[]
>('sumInvoiceSlice', { heavy: true }, async (db, { organization, from, to }) => {
  const { rows } = await sql<SumRow>`
      select case when t.kind = 'payment' and t.reference in
          (select id from invoices where organization = ${organization})
        then 'invoice_payment' else t.kind end as kind,
        u.model, u.price, count(*) as count, sum(coalesce(u.prompt_tokens, 0)) as prompt_tokens,
        sum(coalesce(u.cached_tokens, 0)) as cached_tokens,
        sum(coalesce(u.completion_tokens, 0)) as completion_tokens,
        ${sumHalves(sql`case when t.credit like 'customer:%' then -t.amount else t.amount end`, 'lost')}
      from transfers t
        left join usage u on u.request = t.reference and t.kind in ('usage', 'reversal')
      where t.organization = ${organization} and t.seq >= ${from} and t.seq <= ${to}
      group by 1, 2, 3`.execute(db);
  return rows.map(sumOf);
});

function sumOf(row: SumRow): LineSum {
  const isReversal = row.kind === 'reversal';
  const counted = (sum: Wide) => (isReversal ? -BigInt(sum) : BigInt(sum));
  return {
    kind: isReversal ? 'usage' : row.kind,
    model: row.model,
    price: row.price,
    count: counted(row.count),
    prompt_tokens: counted(row.prompt_tokens),
    cached_tokens: counted(row.cached_tokens),
    completion_tokens: counted(row.completion_tokens),
    amount: joinHalves(row.lost_high, row.lost_low),
  };
}

/** Sums all transfers of a span, in slices. */
export async function sumSpan(
  store: Pick<Store, 'call'>,
  organization: OrganizationId,
  span: Pick<Span, 'from' | 'to'>,
): Promise<LineSum[]> {
  let sums: LineSum[] = [];
  for (let from = span.from; from <= span.to; from += SLICE_TRANSFERS) {
    const end = from + SLICE_TRANSFERS - 1n;
    const to = end < span.to ? end : span.to;
    sums = addUp([...sums, ...(await store.call(sumInvoiceSlice, { organization, from, to }))]);
  }
  return sums;
}

/** Adds up the sums of slices, in the order of an invoice's lines. */
function addUp(sums: readonly LineSum[]): LineSum[] {
  const lines = new Map<string, LineSum>();
  for (const sum of sums) {
    const key = JSON.stringify([sum.kind !== 'usage', sum.kind, sum.model, sum.price]);
    const line = lines.get(key);
    lines.set(key, line ? together(line, sum) : sum);
  }
  return [...lines].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
}

function together(a: LineSum, b: LineSum): LineSum {
  return {
    ...a,
    count: a.count + b.count,
    prompt_tokens: a.prompt_tokens + b.prompt_tokens,
    cached_tokens: a.cached_tokens + b.cached_tokens,
    completion_tokens: a.completion_tokens + b.completion_tokens,
    amount: a.amount + b.amount,
  };
}
