/** Formats payments and refunds for the API. */
import type { Payment, Refund } from '../../../shared/api/payments.ts';
import { formatUsd } from '../../../shared/money.ts';
import type { PaymentRow, RefundRow } from '../../store/schema/payments.ts';
import { instantOrNull, isoInstant, usdOrNull } from '../api.ts';
import { documentNumber, FORMER_RECEIPTS } from '../documents/number.ts';
import type { PaymentWithRefunds } from './refund-amounts.ts';

export function shownPayment(row: PaymentWithRefunds): Payment {
  const { id, purpose, provider, state, amount, paid, refunded, disputed, reason } = row;
  return {
    id,
    purpose,
    provider,
    state,
    amount: usdOrNull(amount),
    paid: usdOrNull(paid),
    refunded: formatUsd(refunded),
    refund_pending: formatUsd(row.refundPending),
    refund_failed: formatUsd(row.refundFailed),
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

/** Returns null for a payment without a receipt. */
export function receiptNumberOf(
  row: Pick<PaymentRow, 'receipt' | 'receipt_series' | 'receipt_number'>,
): string | null {
  const { receipt, receipt_series: series, receipt_number: number } = row;
  if (series !== null && number !== null) return documentNumber(series, number);
  return receipt === null ? null : documentNumber(FORMER_RECEIPTS, receipt);
}
