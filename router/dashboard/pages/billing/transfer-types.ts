/** The kinds of transfers that each type of the filter shows. */
import type { TRANSFER_KINDS } from '../../../../shared/api/credit.ts';
import type { TransferType } from '../../search.ts';

type TransferKind = (typeof TRANSFER_KINDS)[number];

const KINDS: Readonly<Record<TransferType, readonly TransferKind[]>> = {
  payments: ['payment'],
  credits: ['welcome', 'adjustment'],
  refunds: ['refund', 'refund_reversal', 'dispute', 'dispute_reversal'],
  reversals: ['reversal'],
  usage: ['usage'],
};

export function kindsOf(types: readonly TransferType[]): readonly TransferKind[] {
  return types.flatMap((type) => KINDS[type]);
}
