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
    receipt: row.receipt === null ? null : receiptNumber(row.receipt),
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

export function receiptNumber(receipt: bigint): string {
  return `R-${receipt.toString().padStart(6, '0')}`;
}
