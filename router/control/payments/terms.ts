/** Formats payments and refunds for the API. */
import type { Payment, Refund } from '../../../shared/api/payments.ts';
import { formatUsd } from '../../../shared/money.ts';
import type { PaymentRow, RefundRow } from '../../store/schema/payments.ts';
import { instantOrNull, isoInstant, usdOrNull } from '../api.ts';

export function shownPayment(row: PaymentRow): Payment {
  const { id, purpose, provider, state, amount, paid, refunded, disputed, reason } = row;
  return {
    id,
    purpose,
    provider,
    state,
    amount: usdOrNull(amount),
    paid: usdOrNull(paid),
    refunded: formatUsd(refunded),
    disputed: formatUsd(disputed),
    reason,
    receipt: receiptNumberOf(row),
    created: isoInstant(row.created),
    ended: instantOrNull(row.ended),
  };
}

export function shownRefund({ id, state, amount, reason, created, ended }: RefundRow): Refund {
  return {
    id,
    state,
    amount: formatUsd(amount),
    reason,
    created: isoInstant(created),
    ended: instantOrNull(ended),
  };
}

const DIGITS = 6;

/** Returns null for a payment without a receipt. */
export function receiptNumberOf(
  row: Pick<PaymentRow, 'receipt' | 'receipt_series' | 'receipt_number'>,
): string | null {
  const { receipt, receipt_series: series, receipt_number: number } = row;
  if (series !== null && number !== null) return numbered(series, number);
  return receipt === null ? null : numbered('R', receipt);
}

function numbered(series: string, number: bigint): string {
  return `${series}-${String(number).padStart(DIGITS, '0')}`;
}
