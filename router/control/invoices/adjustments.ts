/**
 * The single adjustments of an invoice. Its row of adjustments has their sum, and the transfers have
 * their reasons. Transfers never change, so they are read whenever the invoice is shown.
 */
import { sql } from 'kysely';
import { CHANGE } from '../../ledger/transfer-sql.ts';
import type { Db } from '../../store/procedure.ts';
import type { InvoiceLineRow, InvoiceRow } from '../../store/schema/invoices.ts';

/** Those beyond are one line together. */
export const ADJUSTMENTS_MAX = 20;

/** `amount`: what was charged; negative if it is credited. */
export type Adjustment = Readonly<{ amount: bigint; reason: string | null; created: bigint }>;

/**
 * For procedures: the first adjustments of an invoice with these lines, in the order in which they
 * were made.
 */
export async function readAdjustments(
  db: Db,
  { organization, from_seq, to_seq }: Pick<InvoiceRow, 'organization' | 'from_seq' | 'to_seq'>,
  lines: readonly Pick<InvoiceLineRow, 'kind'>[],
): Promise<readonly Adjustment[]> {
  if (!lines.some(({ kind }) => kind === 'adjustment')) return [];
  // `kind <> 'usage'` is the condition of the index, with the same literal.
  const { rows } = await sql<Adjustment>`
    select -(${CHANGE}) as amount, t.reason, t.created from transfers t
    where t.organization = ${organization} and t.kind = 'adjustment' and t.kind <> 'usage'
      and t.seq >= ${from_seq} and t.seq <= ${to_seq}
    order by t.seq limit ${sql.lit(ADJUSTMENTS_MAX)}`.execute(db);
  return rows;
}
