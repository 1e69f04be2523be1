/** Lists the payments of all organizations. */
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import type { PaymentStatus } from '../../../shared/api/payments.ts';
import type { OrganizationId, PaymentId } from '../../../shared/ids.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import type { Schema } from '../../store/schema.ts';
import type { PaymentRow } from '../../store/schema/payments.ts';
import { documentNumberIn, FORMER_RECEIPTS } from '../documents/number.ts';
import { isSearched } from '../organizations/searched.ts';
import { type ListQuery, type Page, readPage } from '../pages.ts';
import { allWithRefunds, hasFailedLast, type PaymentWithRefunds } from './refund-amounts.ts';

export type PaymentsQuery = ListQuery<PaymentId> &
  Readonly<{
    /**
     * The id of a payment or an organization, the number of a receipt, or a part of the name of an
     * organization, ignoring case.
     */
    search: string | null;
    status: PaymentStatus | null;
    purpose: PaymentRow['purpose'] | null;
    /** When it was started, in ms since the epoch; `until` is not included. Null: at any time. */
    from: number | null;
    until: number | null;
  }>;

export type NamedPayment = PaymentWithRefunds &
  Readonly<{ /** Empty: it is not known any more. */ organizationName: string }>;

/** Heavy, because a filter may look at many payments. */
export const listAllPayments = readProcedure<PaymentsQuery, Page<NamedPayment, PaymentId>>(
  'listAllPayments',
  { heavy: true },
  async (db, { search, status, purpose, from, until, ...asked }) => {
    let query = db.selectFrom('payments').selectAll();
    if (search !== null) query = query.where((row) => fits(row, search));
    if (status !== null) query = query.where(hasStatus(status));
    if (purpose !== null) query = query.where('purpose', '=', purpose);
    if (from !== null) query = query.where('created', '>=', milliseconds(from));
    if (until !== null) query = query.where('created', '<', milliseconds(until));
    const page = await readPage(query, 'id', asked);
    const rows = await allWithRefunds(db, page.rows);
    const names = await namesOf(db, rows);
    return {
      next: page.next,
      rows: rows.map((row) => ({ ...row, organizationName: names.get(row.organization) ?? '' })),
    };
  },
);

/** The condition is one of rows of `payments`. */
function hasStatus(status: PaymentStatus): Expression<SqlBool> {
  if (status === 'refunded') return sql<SqlBool>`refunded > 0`;
  if (status === 'refund_failed') {
    return sql<SqlBool>`exists (
      select 1 from refunds where refunds.payment = payments.id and ${hasFailedLast()}
    )`;
  }
  if (status === 'disputed') return sql<SqlBool>`disputed > 0`;
  return sql<SqlBool>`state = ${status}`;
}

function fits(row: ExpressionBuilder<Schema, 'payments'>, search: string): Expression<SqlBool> {
  return row.or([
    row('id', '=', search.toLowerCase() as PaymentId),
    isSearched(row.ref('organization'), search),
    ...hasReceipt(row, search),
  ]);
}

/** No condition if the text is no number of a receipt. */
function hasReceipt(
  row: ExpressionBuilder<Schema, 'payments'>,
  search: string,
): Expression<SqlBool>[] {
  const numbered = documentNumberIn(search);
  if (numbered === null) return [];
  const { series, number } = numbered;
  if (series === FORMER_RECEIPTS) {
    return [row.and([row('receipt', '=', number), row('receipt_number', 'is', null)])];
  }
  return [row.and([row('receipt_series', '=', series), row('receipt_number', '=', number)])];
}

async function namesOf(
  db: Db,
  payments: readonly Pick<PaymentRow, 'organization'>[],
): Promise<ReadonlyMap<OrganizationId, string>> {
  const ids = [...new Set(payments.map(({ organization }) => organization))];
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
