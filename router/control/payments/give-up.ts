/**
 * What ends when a provider never says what became of it. It ends as if the provider had told so, with an alarm; where
 * the money turns up after all, its event is counted as ever.
 */
import type { PaymentRow, RefundRow } from '../../store/schema/payments.ts';
import { picoUsd } from '../../../shared/money.ts';
import type { ProviderEvent } from './provider.ts';
import { findReference } from './procedures.ts';
import { tellEvent, type TellParts } from './tell.ts';

/** From then on it is an alarm each time that the provider does not answer. */
const LATE_MS = 24 * 60 * 60 * 1000;
const UNANSWERED_MS_MAX = 30 * LATE_MS;
/** A clock that jumps over a month has asked nobody: it takes as many asks as two days of hours, too. */
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

/** What an operator should look at. */
export function raise({ log, onAlarm }: TellParts, about: object, alarm: string): void {
  log.error(about, alarm);
  onAlarm?.('undecided');
}

/** The customer is told with the payment's reason, and where it was a recharge by a letter. */
export async function giveUpPayment(
  parts: TellParts,
  { id, provider, purpose, state }: PaymentRow,
  reason: string,
): Promise<void> {
  raise(parts, { payment: id, provider, state, reason }, 'a payment was given up');
  const about = { event: `given up:${id}`, payment: id };
  const event: ProviderEvent =
    purpose === 'recharge'
      ? { kind: 'payment_failed', reason, ...about }
      : { kind: 'checkout_expired', ...about };
  await tellEvent(parts, provider, event);
}

/**
 * Its amount comes back to the balance: what the provider was asked for may have been paid out, which is our risk. Does
 * nothing where the refund has been decided in the meantime.
 */
export async function giveUpRefund(
  parts: TellParts,
  { id, payment, asks, amount }: RefundRow,
): Promise<void> {
  const { store } = parts;
  const { provider, reference } = await store.call(findReference, payment);
  if (reference === null) throw new Error(`${payment} was refunded and never paid`);
  const { outcome } = await tellEvent(parts, provider, {
    kind: 'refund_failed',
    onlyPending: true,
    event: `given up:${id}`,
    refund: id,
    reference,
    amount: picoUsd(amount),
  });
  if (outcome !== 'applied') return;
  raise(parts, { refund: id, payment, asks: Number(asks) }, 'a refund was given up');
}
