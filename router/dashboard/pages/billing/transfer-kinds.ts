/** The kinds of transfers that each filter of the activity shows. */
import type { TransferKind } from '../../api/billing.ts';
import { ACTIVITY_CAUSES, type ActivityCause, type ActivityFilter } from '../../search.ts';

const OF_CAUSE: Readonly<Record<ActivityCause, readonly TransferKind[]>> = {
  payment: ['payment'],
  refund: ['refund', 'refund_reversal', 'dispute', 'dispute_reversal'],
  welcome: ['welcome'],
  adjustment: ['adjustment'],
};

/** `causes` narrows payments and corrections; none means all of them. */
export function kindsOf(
  show: ActivityFilter,
  causes: readonly ActivityCause[],
): readonly TransferKind[] {
  if (show === 'usage') return ['usage', 'reversal'];
  const wanted = causes.length === 0 ? ACTIVITY_CAUSES : causes;
  return wanted.flatMap((cause) => OF_CAUSE[cause]);
}
