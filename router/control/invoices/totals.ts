/** What the invoices of all organizations add up to. */
import { sql } from 'kysely';
import type { InvoiceTotals } from '../../../shared/api/invoices.ts';
import { formatUsd } from '../../../shared/money.ts';
import { joinHalves, sumHalves } from '../../store/halves.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { monthOf, startOfMonth } from '../../store/month.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';

/** `due` is in pico-USD. */
type Sum = Readonly<{ count: number; due: bigint }>;
export type Totals = Readonly<{ open: Sum; overdue: Sum; paid: Sum }>;

/** `now` is in ms since the epoch. Each sum is read from an index alone. */
export const sumInvoices = readProcedure<Readonly<{ now: number }>, Totals>(
  'sumInvoices',
  { heavy: true },
  async (db, { now }) => ({
    open: await sum(db, sql`status = 'open'`),
    overdue: await sum(db, sql`status = 'open' and due < ${milliseconds(now)}`),
    paid: await sum(
      db,
      sql`status = 'paid' and ended >= ${milliseconds(startOfMonth(monthOf(now)))}
        and amount_due > 0`,
    ),
  }),
);

async function sum(db: Db, condition: ReturnType<typeof sql>): Promise<Sum> {
  type Row = Readonly<{ count: bigint; due_high: bigint | null; due_low: bigint | null }>;
  const { rows } = await sql<Row>`
    select count(*) as count, ${sumHalves(sql`amount_due`, 'due')}
    from invoices where ${condition}`.execute(db);
  const { count = 0n, due_high: high = null, due_low: low = null } = rows[0] ?? {};
  return { count: Number(count), due: joinHalves(high, low) };
}

export function shownTotals({ open, overdue, paid }: Totals): InvoiceTotals {
  return { open: shown(open), overdue: shown(overdue), paid_this_month: shown(paid) };
}

function shown({ count, due }: Sum): InvoiceTotals['open'] {
  return { count, amount_due: formatUsd(due) };
}
