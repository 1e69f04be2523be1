/**
 * Issues the invoice of a month, or the last invoice of an organization that prepays again, exactly
 * once. Its number, its lines, its email and the progress of invoicing through the ledger are
 * written in one transaction.
 */
import { DAY_MS } from '../../../shared/durations.ts';
import type { AuditId, InvoiceId, OrganizationId } from '../../../shared/ids.ts';
import { formatUsd } from '../../../shared/money.ts';
import { lockOrganization } from '../../ledger/locks.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, writeProcedure } from '../../store/procedure.ts';
import { nameOfMonth } from '../../store/month.ts';
import type { InvoicingRow } from '../../store/schema/invoices.ts';
import { isoInstant } from '../api.ts';
import { record, systemEntry } from '../audit/record.ts';
import {
  type ConfiguredSeller,
  deleteBillingDetails,
  freezeParties,
} from '../documents/parties.ts';
import { postLetter } from '../mail/letter.ts';
import { documentNumber, INVOICES } from '../documents/number.ts';
import { postEvent } from '../webhooks/events.ts';
import { addAmounts, amountsOf, linesOf } from './amounts.ts';
import type { LineSum, Span } from './span.ts';

export type NewInvoice = Readonly<{
  id: InvoiceId;
  audit: AuditId;
  organization: OrganizationId;
  month: bigint;
  /**
   * `month`: the month is over. `stretch`: the organization prepays again, and this is its last
   * invoice.
   */
  closes: 'month' | 'stretch';
  span: Span;
  /** The sums of all transfers in the span. */
  sums: readonly LineSum[];
  seller: ConfiguredSeller | null;
  /** ms since the epoch. */
  created: number;
}>;

/**
 * `nothing`: the period is closed, without an invoice because nothing was charged. `closed`:
 * nothing was done, because the period was closed before, the stretch has not ended, or the
 * organization is not set up for invoicing.
 */
export const issueInvoice = writeProcedure<NewInvoice, 'issued' | 'nothing' | 'closed'>(
  'issueInvoice',
  async (db, invoice) => {
    const { organization, month, closes, span, sums } = invoice;
    const billed = await lockOrganization(db, organization);
    const invoicing = await readInvoicing(db, organization);
    if (!billed || !invoicing) return 'closed';
    const isClosed =
      closes === 'month'
        ? invoicing.month !== null && invoicing.month >= month
        : !(await endsAt(db, organization, span.to)) || invoicing.seq >= span.to;
    if (isClosed) return 'closed';
    if (invoicing.seq + 1n !== span.from || invoicing.balance !== span.opening) {
      throw new Error(
        `the span from transfer ${span.from} on does not continue the invoicing of ${organization}`,
      );
    }
    const lines = linesOf(sums);
    const closing = span.opening - addAmounts(sums);
    const closed = closes === 'month' ? { month } : { billed_to: null };
    const invoiced = { seq: span.to, balance: closing };
    const isIssued = lines.length > 0;
    if (isIssued) {
      const billedTo = invoicing.billed_to ?? billed.name;
      await insert(db, { ...invoice, billedTo, invoicing, lines, closing });
    }
    const advances = isIssued || closes === 'stretch';
    await goOn(db, organization, { ...closed, ...(advances && invoiced) });
    if (closes === 'stretch' && billed.deleted !== null) {
      await deleteBillingDetails(db, organization);
    }
    return isIssued ? 'issued' : 'nothing';
  },
);

type Complete = NewInvoice &
  Readonly<{
    billedTo: string;
    invoicing: InvoicingRow;
    lines: readonly LineSum[];
    /** The balance at the end of the span. */
    closing: bigint;
  }>;

async function insert(db: Db, invoice: Complete): Promise<void> {
  const { id, organization, month, span, lines, invoicing, closing, created } = invoice;
  const amounts = await amountsOf(db, lines, { organization, to: span.to, closing });
  const { amount_due: due } = amounts;
  const number = await nextNumber(db);
  const at = milliseconds(created);
  const dueAt = at + invoicing.terms_days * BigInt(DAY_MS);
  await db
    .insertInto('invoices')
    .values({
      id,
      number,
      organization,
      billed_to: invoice.billedTo,
      ...(await freezeParties(db, {
        organization,
        name: invoice.billedTo,
        seller: invoice.seller,
      })),
      month,
      from_seq: span.from,
      to_seq: span.to,
      ...amounts,
      terms_days: invoicing.terms_days,
      due: dueAt,
      // Nothing has to be paid when the credit covers the invoice, or all but a part of a cent.
      status: due === 0n ? 'paid' : 'open',
      reference: null,
      transfer: null,
      created: at,
      ended: due === 0n ? at : null,
      void_after: null,
    })
    .execute();
  for (const [index, line] of lines.entries()) {
    const row = { ...line, invoice: id, position: BigInt(index + 1) };
    await db.insertInto('invoice_lines').values(row).execute();
  }
  await postLetter(db, { kind: 'invoice', organization, invoice: id }, { occasion: id, created });
  const shown = { number: documentNumber(INVOICES, number), amount_due: formatUsd(due) };
  const data = {
    invoice: id,
    ...shown,
    month: nameOfMonth(month),
    due: isoInstant(dueAt),
  };
  const cause = { organization, occasion: id, created };
  await postEvent(db, { type: 'invoice.issued', data }, cause);
  const entry = systemEntry({
    id: invoice.audit,
    organization,
    action: 'invoice.issue',
    target: id,
    details: shown,
    created,
  });
  await record(db, entry);
}

/** Write procedures run one at a time, so no number is used twice, and a rollback leaves no gap. */
async function nextNumber(db: Db): Promise<bigint> {
  const { last } = await db
    .selectFrom('invoices')
    .select((row) => row.fn.max('number').as('last'))
    .executeTakeFirstOrThrow();
  return ((last as bigint | null) ?? 0n) + 1n;
}

/** Whether the organization prepays again and its invoiced stretch ended at this transfer. */
async function endsAt(db: Db, organization: OrganizationId, seq: bigint): Promise<boolean> {
  const stretch = await db
    .selectFrom('invoicing_stretches')
    .select('from_seq')
    .where('organization', '=', organization)
    .where('to_seq', '=', seq)
    .executeTakeFirst();
  return stretch !== undefined;
}

function readInvoicing(db: Db, organization: OrganizationId): Promise<InvoicingRow | undefined> {
  return db
    .selectFrom('invoicing')
    .selectAll()
    .where('organization', '=', organization)
    .executeTakeFirst();
}

async function goOn(
  db: Db,
  organization: OrganizationId,
  to: Partial<Pick<InvoicingRow, 'month' | 'seq' | 'balance' | 'billed_to'>>,
): Promise<void> {
  await db.updateTable('invoicing').set(to).where('organization', '=', organization).execute();
}
