/** The kinds of transfers that each filter of the activity shows. */
import type { TransferKind } from '../../api/billing.ts';
import type { ActivityFilter } from '../../search.ts';

export const KINDS: Readonly<Record<ActivityFilter, readonly TransferKind[]>> = {
  usage: ['usage', 'reversal'],
  payments: [
    'welcome',
    'payment',
    'adjustment',
    'refund',
    'refund_reversal',
    'dispute',
    'dispute_reversal',
  ],
};
