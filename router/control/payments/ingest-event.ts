/**
 * The single entry point for a provider's events: from a webhook, from the provider's response to a
 * request, or from a lookup.
 */
import type { ControlParts } from '../parts.ts';
import { type Applied, applyEvent, findEventSubject } from './events.ts';
import type { PaymentAlarm, ProviderEvent } from './provider.ts';
import type { EventOrigin } from './received-event.ts';

export type IngestParts = Pick<ControlParts, 'store' | 'clock' | 'log' | 'seller' | 'onAlarm'>;

/**
 * Applies an event, and resolves once its effect is durable. For `too_early` and `over_limit`, the
 * caller must answer so that the provider sends the event again.
 */
export async function ingestEvent(
  { store, clock, log, seller, onAlarm }: IngestParts,
  provider: string,
  event: ProviderEvent,
  from?: EventOrigin,
): Promise<Applied> {
  const about = { provider, event: event.event, kind: event.kind };
  const subject = await store.call(findEventSubject, { provider, event });
  if (!subject) {
    // An event that refers to the provider's payment id may arrive before the event that reports
    // the payment as paid.
    const outcome = 'reference' in event && event.kind !== 'paid' ? 'too_early' : 'ignored';
    const alarm = 'provider reported an event that matches none of our payments or customers';
    log.error({ ...about, outcome }, alarm);
    onAlarm?.('event');
    return { outcome, alarm };
  }
  const received = { provider, event, subject, seller, now: clock.now() };
  const applied = await store.call(applyEvent, { ...received, ...(from && { from }) });
  if (applied.alarm !== null) {
    log.error({ ...about, payment: subject.payment, outcome: applied.outcome }, applied.alarm);
    const alarm = alarmOf(event, applied);
    if (alarm !== null) onAlarm?.(alarm);
  }
  return applied;
}

/**
 * Null for a refund that was given up because its provider did not answer. Nobody knows whether it was
 * paid, and whoever gives it up raises an alarm of its own.
 */
function alarmOf(event: ProviderEvent, { outcome }: Applied): PaymentAlarm | null {
  if (event.kind !== 'refund_failed' || outcome !== 'applied') return 'event';
  return event.onlyPending ? null : 'refund_failed';
}
