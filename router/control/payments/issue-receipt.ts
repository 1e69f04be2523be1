/** Gives a receipt its number and its parties, in the transaction that credits the payment. */
import type { OrganizationId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';
import type { PaymentRow } from '../../store/schema/payments.ts';
import { RECEIPTS } from '../documents/number.ts';
import { type ConfiguredSeller, freezeParties } from '../documents/parties.ts';

type Issued = Pick<PaymentRow, 'receipt_series' | 'receipt_number' | 'seller' | 'buyer'>;

/**
 * For procedures. Write procedures run one at a time, so no number is used twice, and a rollback
 * leaves no gap.
 */
export async function issueReceipt(
  db: Db,
  organization: OrganizationId,
  seller: ConfiguredSeller | null,
): Promise<Issued> {
  const series = seller?.series ?? RECEIPTS;
  const { last } = await db
    .selectFrom('payments')
    .select((row) => row.fn.max('receipt_number').as('last'))
    .where('receipt_series', '=', series)
    .executeTakeFirstOrThrow();
  const { name } = await db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', organization)
    .executeTakeFirstOrThrow();
  return {
    receipt_series: series,
    receipt_number: (last ?? 0n) + 1n,
    ...(await freezeParties(db, { organization, name, seller })),
  };
}
