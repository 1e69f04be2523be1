/** What refunds have made of a payment, as its receipt and the dashboard say it. */
import type { Payment } from './api/payments.ts';
import { formatUsd, inPico } from './money.ts';

/** A router of an earlier version leaves out what is pending. */
type Returned = Pick<Payment, 'refunded'> & Partial<Pick<Payment, 'refund_pending'>>;

type RefundedPart = Readonly<{ name: 'Refunded' | 'Refund pending'; amount: string }>;

/** What was refunded, and what the provider has not confirmed yet. Without those that are zero. */
export function refundsOf({ refunded, refund_pending: pending = '0' }: Returned): RefundedPart[] {
  const done = formatUsd(inPico(refunded) - inPico(pending));
  const both = [
    { name: 'Refunded', amount: done },
    { name: 'Refund pending', amount: pending },
  ] as const;
  return both.filter(({ amount }) => inPico(amount) > 0n);
}

/** The status of a payment that was paid and is not disputed. A pending refund takes precedence. */
export function refundStatus({
  paid,
  refunded,
  refund_pending: pending = '0',
}: Returned & Readonly<{ paid: string }>):
  | 'Paid'
  | 'Refund pending'
  | 'Partially refunded'
  | 'Refunded' {
  const back = inPico(refunded);
  if (back === 0n) return 'Paid';
  if (inPico(pending) > 0n) return 'Refund pending';
  return back < inPico(paid) ? 'Partially refunded' : 'Refunded';
}
