/** The invoices of all organizations, as operators list them and as CSV. */
import type { FastifyReply } from 'fastify';
import type { Invoice, WholeInvoiceQuery } from '../../../shared/api/invoices.ts';
import { cursorOfSort } from '../../../shared/api/pages.ts';
import { monthOf } from '../../store/month.ts';
import type { Store } from '../../store/store.ts';
import { CSV_ROWS, sendPages } from '../csv-file.ts';
import { type InvoicePlace, type InvoicesQuery, listInvoices } from './list.ts';
import { shownInvoice } from './serialize.ts';

/** The most invoices in a CSV file. */
export const INVOICES_CSV_MAX = 100_000;

/** `now` is in ms since the epoch. */
export function listingOf(query: WholeInvoiceQuery, now: number): InvoicesQuery {
  const { search = null, status = null, month, sort, order, after, limit } = query;
  return {
    organization: null,
    search,
    status: status === 'overdue' ? 'open' : status,
    month: month === undefined ? null : monthOf(Date.parse(`${month}-01T00:00:00Z`)),
    dueBefore: status === 'overdue' ? now : null,
    sort,
    order,
    after: after?.place ?? null,
    limit,
  };
}

export function cursorOf(query: WholeInvoiceQuery, { value, number }: InvoicePlace): string {
  return cursorOfSort(query, `${value}_${number}`);
}

const CSV_COLUMNS = {
  number: ({ number }) => number,
  period_start: ({ period }) => period.start,
  period_end: ({ period }) => period.end,
  organization: ({ organization }) => organization,
  billed_to: ({ billed_to }) => billed_to,
  status: ({ status }) => status,
  overdue: ({ overdue }) => String(overdue),
  total: ({ total }) => total,
  brought_forward: ({ brought_forward }) => brought_forward,
  carried_forward: ({ carried_forward = '' }) => carried_forward,
  amount_due: ({ amount_due }) => amount_due,
  due: ({ due }) => due,
  created: ({ created }) => created,
  ended: ({ ended }) => ended,
  reference: ({ reference }) => reference,
  id: ({ id }) => id,
} as const satisfies Record<string, (invoice: Invoice) => string | null>;

/** Sends the invoices of a query as a CSV file. */
export function sendInvoices(
  reply: FastifyReply,
  store: Pick<Store, 'call'>,
  asked: InvoicesQuery,
  now: number,
): FastifyReply {
  return sendPages(reply, 'invoices', CSV_COLUMNS, pagesOf(store, asked, now));
}

async function* pagesOf(
  store: Pick<Store, 'call'>,
  asked: InvoicesQuery,
  now: number,
): AsyncGenerator<Invoice[]> {
  let left = INVOICES_CSV_MAX;
  let after: InvoicePlace | null = asked.after;
  do {
    const limit = Math.min(left, CSV_ROWS);
    const page = await store.call(listInvoices, { ...asked, after, limit });
    left -= page.rows.length;
    yield page.rows.map((row) => shownInvoice(row, now));
    after = page.next;
  } while (after !== null && left > 0);
}
