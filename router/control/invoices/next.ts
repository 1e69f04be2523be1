/**
 * What the next invoice of an organization has so far, as it would be issued now. Nothing is locked
 * or written. Transfers never change, so what is read in several steps belongs together, unless an
 * invoice is issued in between.
 */
import type { NextInvoice } from '../../../shared/api/invoices.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { carriedForward, dueOf } from '../../../shared/invoice-amounts.ts';
import { formatUsd } from '../../../shared/money.ts';
import { startOfMonth } from '../../store/month.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import { isoInstant } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import { type Adjustment, readAdjustments } from './adjustments.ts';
import { addAmounts, type Amounts, amountsOf, leftOf, linesOf } from './amounts.ts';
import type { PricedLine } from './procedures.ts';
import { shownLines } from './serialize.ts';
import { findSpanSoFar, type LineSum, type Span, sumSpan } from './span.ts';

/** An invoice of more has no lines until it is issued: a page would wait too long for their sums. */
export const NEXT_TRANSFERS_MAX = 100_000n;

type SoFar =
  | Readonly<{ due: bigint; detail: null }>
  | Readonly<{
      due: bigint;
      detail: {
        amounts: Amounts;
        lines: readonly PricedLine[];
        adjustments: readonly Adjustment[];
      };
    }>;

type Summed = Readonly<{
  organization: OrganizationId;
  span: Span;
  /** The balance after the span. */
  closing: bigint;
  /** The sums of all transfers in the span; null: there are too many. */
  sums: readonly LineSum[] | null;
}>;

/** `moved`: an invoice was issued after the transfers were summed. */
export const readInvoiceSoFar = readProcedure<Summed, SoFar | 'moved'>(
  'readInvoiceSoFar',
  { heavy: true },
  async (db, { organization, span, closing, sums }) => {
    const invoiced = await db
      .selectFrom('invoicing')
      .select('seq')
      .where('organization', '=', organization)
      .executeTakeFirst();
    if (invoiced?.seq !== span.from - 1n) return 'moved';
    const end = { organization, to: span.to, closing };
    if (sums === null) return { due: dueOf(await leftOf(db, end)), detail: null };
    const lines = linesOf(sums);
    const amounts = await amountsOf(db, lines, end);
    const range = { organization, from_seq: span.from, to_seq: span.to };
    const adjustments = await readAdjustments(db, range, lines);
    return {
      due: amounts.amount_due,
      detail: { amounts, lines: await priced(db, lines), adjustments },
    };
  },
);

async function priced(db: Db, lines: readonly LineSum[]): Promise<PricedLine[]> {
  const ids = lines.flatMap(({ price }) => (price === null ? [] : [price]));
  const prices =
    ids.length === 0
      ? []
      : await db.selectFrom('prices').selectAll().where('id', 'in', ids).execute();
  return lines.map((line) => {
    const price = prices.find(({ id }) => id === line.price);
    return {
      ...line,
      prompt_price: price?.prompt ?? null,
      cached_price: price?.cached ?? null,
      completion_price: price?.completion ?? null,
    };
  });
}

/** Null: the organization is not invoiced. */
export async function nextInvoice(
  { store, clock }: Pick<ControlParts, 'store' | 'clock'>,
  organization: OrganizationId,
  transfersMax = NEXT_TRANSFERS_MAX,
): Promise<NextInvoice | null> {
  for (;;) {
    const now = clock.now();
    const open = await store.call(findSpanSoFar, { organization, now });
    if (open === null) return null;
    const { span, month, newest, balance } = open;
    const later = await sumSpan(store, organization, { from: span.to + 1n, to: newest });
    const closing = balance + addAmounts(later);
    const isTooLong = span.to - span.from >= transfersMax;
    const sums = isTooLong ? null : await sumSpan(store, organization, span);
    const soFar = await store.call(readInvoiceSoFar, { organization, span, closing, sums });
    if (soFar === 'moved') continue;
    const end = Math.min(now, startOfMonth(month + 1n));
    const period = { start: isoInstant(startOfMonth(month)), end: isoInstant(end) };
    return { organization, period, ...shown(soFar) };
  }
}

function shown({ due, detail }: SoFar): Omit<NextInvoice, 'organization' | 'period'> {
  const amount_due = formatUsd(due);
  if (detail === null) {
    const unknown = { total: null, brought_forward: null, carried_forward: null };
    return { ...unknown, amount_due, lines: null };
  }
  const { total, brought_forward: broughtForward } = detail.amounts;
  return {
    total: formatUsd(total),
    brought_forward: formatUsd(broughtForward),
    carried_forward: formatUsd(carriedForward({ total, broughtForward, amountDue: due })),
    amount_due,
    lines: shownLines(detail.lines, detail.adjustments),
  };
}
