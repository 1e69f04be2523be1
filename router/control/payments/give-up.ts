/**
 * Ends payments and refunds whose result the provider never reports. They end as if the provider
 * had reported a failure, with an alarm. If the money turns up later, its event is still counted.
 */
import { picoUsd } from '../../../shared/money.ts';
import type { PaymentRow, RefundRow } from '../../store/schema/payments.ts';
import { ingestEvent, type IngestParts } from './ingest-event.ts';
import { findReference } from './procedures.ts';
import type { ProviderEvent } from './provider.ts';

/** After this time, each unanswered lookup raises an alarm. */
const LATE_MS = 24 * 60 * 60 * 1000;
const UNANSWERED_MS_MAX = 30 * LATE_MS;
/**
 * 48 lookups are required as well: after a clock jump of a month, no lookup may have been made yet.
 */
const UNANSWERED_ASKS_MIN = 48n;

export function isLate(created: bigint, now: number): boolean {
  return now - Number(created) >= LATE_MS;
}

export function isUnanswered(
  { created, asks }: Pick<PaymentRow | RefundRow, 'created' | 'asks'>,
  now: number,
): boolean {
  return asks >= UNANSWERED_ASKS_MIN && now - Number(created) >= UNANSWERED_MS_MAX;
}

/** Raises an alarm for an operator. */
export function raise({ log, onAlarm }: IngestParts, about: object, alarm: string): void {
  log.error(about, alarm);
  onAlarm?.('undecided');
}

/** Ends a payment. The customer sees the payment's reason and, for a recharge, gets an email. */
export async function giveUpPayment(
  parts: IngestParts,
  { id, provider, purpose, state }: PaymentRow,
  reason: string,
): Promise<void> {
  raise(parts, { payment: id, provider, state, reason }, 'payment was given up');
  const about = { event: `given up:${id}`, payment: id };
  const event: ProviderEvent =
    purpose === 'recharge'
      ? { kind: 'payment_failed', reason, ...about }
      : { kind: 'checkout_expired', ...about };
  await ingestEvent(parts, provider, event);
}

/**
 * Gives up a refund. Its amount returns to the balance; if the provider has paid it out after all,
 * the loss is ours. Does nothing when the refund has been decided in the meantime.
 */
export async function giveUpRefund(
  parts: IngestParts,
  { id, payment, asks, amount }: RefundRow,
): Promise<void> {
  const { store } = parts;
  const { provider, reference } = await store.call(findReference, payment);
  if (reference === null) throw new Error(`${payment} was refunded but never paid`);
  const { outcome } = await ingestEvent(parts, provider, {
    kind: 'refund_failed',
    onlyPending: true,
    event: `given up:${id}`,
    refund: id,
    reference,
    amount: picoUsd(amount),
  });
  if (outcome !== 'applied') return;
  raise(parts, { refund: id, payment, asks: Number(asks) }, 'refund was given up');
}
