/** Reads, pays and voids single invoices. `issue.ts` creates them, and `list.ts` lists them. */
import type { InvoiceId, OrganizationId } from '../../../shared/ids.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import { picoUsd } from '../../../shared/money.ts';
import { lockOrganization } from '../../ledger/locks.ts';
import { creditPayment } from '../../ledger/payments.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { InvoiceRow } from '../../store/schema/invoices.ts';
import { audited } from '../audit/record.ts';
import { idempotent } from '../idempotency/idempotent.ts';
import { type Adjustment, readAdjustments } from './adjustments.ts';
import type { LineSum } from './span.ts';

export type PricedLine = LineSum &
  Readonly<{
    prompt_price: bigint | null;
    cached_price: bigint | null;
    completion_price: bigint | null;
  }>;

export type Billed = Readonly<{
  invoice: InvoiceRow;
  lines: readonly PricedLine[];
  /** Absent in an answer that an earlier version has stored, and a repeated call gets. */
  adjustments?: readonly Adjustment[];
}>;

export type NamedInvoice = Readonly<{ organization: OrganizationId; invoice: InvoiceId }>;

export const findInvoice = readProcedure<NamedInvoice, Billed | null>('findInvoice', readInvoice);

type Ended = Billed | 'unknown' | 'ended';
/** `isRepeated`: it was marked as paid before, and nothing was changed. */
export type Paid =
  | (Billed & Readonly<{ isRepeated?: true }>)
  | Exclude<Ended, Billed>
  | 'over_limit'
  | 'not_issued';

/**
 * Marks an invoice as paid and credits its amount to the balance, once. A repeated call with the
 * same reference, and the same day or none, changes nothing. `day`: the start of the day on which it was
 * paid; null: it was paid now. `ended`: the invoice is void, or was paid with another reference or on
 * another day. `over_limit`: the balance would exceed its maximum. `not_issued`: on that day the invoice
 * was not issued yet.
 */
export const payInvoice = writeProcedure<
  NamedInvoice & Readonly<{ reference: string; day: number | null; created: number }>,
  Paid
>('payInvoice', async (db, { reference, day, created, ...named }) => {
  const { organization, invoice: id } = named;
  // Lock the organization before the account, as everywhere, so that the invoice cannot be voided
  // meanwhile.
  await lockOrganization(db, organization);
  const found = await readInvoice(db, named);
  if (!found) return 'unknown';
  const { status, amount_due: due } = found.invoice;
  const issued = Number(found.invoice.created);
  if (status !== 'open') {
    const paidAt = Number(found.invoice.ended);
    const isSame =
      status === 'paid' &&
      found.invoice.reference === reference &&
      (day === null || (paidAt >= day && paidAt < day + DAY_MS));
    return isSame ? { ...found, isRepeated: true } : 'ended';
  }
  if (day !== null && day + DAY_MS <= issued) return 'not_issued';
  const answer = await creditPayment.run(db, {
    provider: 'invoice',
    event: id,
    organization,
    amount: picoUsd(due),
    reference: id,
    created,
  });
  if (answer === 'over_limit') return 'over_limit';
  if (typeof answer === 'string') throw new Error(`invoice ${id} was not credited: ${answer}`);
  const isNow = day === null || created < day + DAY_MS;
  const ended = isNow ? created : Math.max(day, issued);
  return await end(db, named, { status: 'paid', reference, ended, transfer: answer.transfer });
});

/**
 * Voids an invoice. Its amount is brought forward to the next invoice, unless it is corrected
 * before then.
 */
export const voidInvoice = writeProcedure<
  NamedInvoice & Readonly<{ reason: string; created: number }>,
  Ended
>('voidInvoice', async (db, { reason: reference, created, ...named }) => {
  // The lock orders this against the next invoice, which is issued either before or with this
  // amount included.
  await lockOrganization(db, named.organization);
  const found = await readInvoice(db, named);
  if (!found) return 'unknown';
  if (found.invoice.status !== 'open') return 'ended';
  const newest = await readNewest(db, named.organization);
  const ending = { status: 'void', reference, ended: created, transfer: null } as const;
  return await end(db, named, { ...ending, void_after: newest });
});

export const payInvoiceOnce = idempotent(
  audited(payInvoice, (answer) => typeof answer === 'object' && answer.isRepeated !== true),
);
export const voidInvoiceOnce = idempotent(audited(voidInvoice));

async function end(
  db: Db,
  named: NamedInvoice,
  {
    ended,
    ...as
  }: Pick<InvoiceRow, 'status' | 'reference' | 'transfer'> &
    Partial<Pick<InvoiceRow, 'void_after'>> & { ended: number },
): Promise<Ended> {
  await db
    .updateTable('invoices')
    .set({ ...as, ended: milliseconds(ended) })
    .where('id', '=', named.invoice)
    .execute();
  return (await readInvoice(db, named)) ?? 'unknown';
}

async function readNewest(db: Db, organization: OrganizationId): Promise<bigint> {
  const { newest } = await db
    .selectFrom('invoices')
    .select((row) => row.fn.max('number').as('newest'))
    .where('organization', '=', organization)
    .executeTakeFirstOrThrow();
  return newest;
}

async function readInvoice(
  db: Db,
  { organization, invoice: id }: NamedInvoice,
): Promise<Billed | null> {
  const invoice = await db
    .selectFrom('invoices')
    .selectAll()
    .where('id', '=', id)
    .where('organization', '=', organization)
    .executeTakeFirst();
  if (!invoice) return null;
  const lines = await db
    .selectFrom('invoice_lines')
    .leftJoin('prices', 'prices.id', 'invoice_lines.price')
    .selectAll('invoice_lines')
    .select([
      'prices.prompt as prompt_price',
      'prices.cached as cached_price',
      'prices.completion as completion_price',
    ])
    .where('invoice', '=', id)
    .orderBy('position')
    .execute();
  return { invoice, lines, adjustments: await readAdjustments(db, invoice, lines) };
}
