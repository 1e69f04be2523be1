/** Lists invoices: those of one organization, or of all. */
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import type { InvoiceSort } from '../../../shared/api/invoices.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { containing } from '../../store/containing.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { readProcedure } from '../../store/procedure.ts';
import type { Schema } from '../../store/schema.ts';
import type { InvoiceRow } from '../../store/schema/invoices.ts';
import { invoiceNumberIn } from '../documents/number.ts';
import { isSearched } from '../organizations/searched.ts';
import { cutPage, type Page } from '../pages.ts';

/** The place of the last row of a page: what the list is sorted by, and the number. */
export type InvoicePlace = Readonly<{ value: bigint; number: bigint }>;

export type InvoicesQuery = Readonly<{
  /** Null lists the invoices of all organizations. */
  organization: OrganizationId | null;
  /** A number of an invoice, the id of an organization, or a part of its name, ignoring case. */
  search: string | null;
  status: InvoiceRow['status'] | null;
  /** Counted as in `month.ts`. */
  month: bigint | null;
  /** Only those that were due before this, in ms since the epoch. */
  dueBefore: number | null;
  sort: InvoiceSort;
  order: 'asc' | 'desc';
  after: InvoicePlace | null;
  limit: number;
}>;

export const NEWEST_FIRST = {
  search: null,
  month: null,
  dueBefore: null,
  sort: 'number',
  order: 'desc',
} as const satisfies Partial<InvoicesQuery>;

/** Heavy, because a filter together with a sort may look at many invoices. */
export const listInvoices = readProcedure<InvoicesQuery, Page<InvoiceRow, InvoicePlace>>(
  'listInvoices',
  { heavy: true },
  async (db, { organization, search, status, month, dueBefore, sort, order, after, limit }) => {
    let query = db
      .selectFrom('invoices')
      .selectAll()
      .limit(limit + 1);
    if (organization !== null) query = query.where('organization', '=', organization);
    if (search !== null) query = query.where((row) => fits(row, search));
    if (status !== null) query = query.where('status', '=', status);
    if (month !== null) query = query.where('month', '=', month);
    if (dueBefore !== null) query = query.where('due', '<', milliseconds(dueBefore));
    const compare = sql.raw(order === 'asc' ? '>' : '<');
    if (sort === 'number') {
      query = query.orderBy('number', order);
      if (after !== null) query = query.where(sql<boolean>`number ${compare} ${after.number}`);
    } else {
      query = query.orderBy(sort, order).orderBy('number', order);
      if (after !== null) {
        query = query.where(
          sql<boolean>`(${sql.ref(sort)}, number) ${compare} (${after.value}, ${after.number})`,
        );
      }
    }
    return cutPage(await query.execute(), limit, (row) => ({
      value: row[sort],
      number: row.number,
    }));
  },
);

/** The name is that on the invoice, or that of today. */
function fits(row: ExpressionBuilder<Schema, 'invoices'>, search: string): Expression<SqlBool> {
  const number = invoiceNumberIn(search);
  return row.or([
    isSearched(row.ref('organization'), search),
    containing(row.ref('billed_to'), search),
    ...(number === null ? [] : [row('number', '=', number)]),
  ]);
}
